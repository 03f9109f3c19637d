import { useShared } from './context';
import type { Place } from './report';
import { visible } from './text';

export interface Mark {
  line: number;
  label: string;
  style: string; // 'site-0', 'site-1' ..., 'failure', 'current'
  column?: number;
}

const kKeywords = new Set((
  'alignas alignof asm auto bool break case catch char class concept const constexpr continue decltype default ' +
  'delete do double else enum explicit export extern false float for friend goto if inline int long mutable ' +
  'namespace new noexcept nullptr operator private protected public register requires return short signed sizeof ' +
  'static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while'
).split(' '));
const kTokens = /\/\/.*$|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|^\s*#\s*\w+|\b\d[\w.']*|\b[A-Za-z_]\w*/g;

function classOf(token: string): string {
  if (token.startsWith('//') || token.startsWith('/*')) return 'comment';
  if (token.startsWith('"') || token.startsWith("'")) return 'string';
  if (/^\s*#/.test(token)) return 'directive';
  if (/^\d/.test(token)) return 'literal';
  return kKeywords.has(token) ? 'keyword' : '';
}

/** A line of C or C++ with its words in colours; every part of it stays text. */
function Code({ text }: { text: string }) {
  const parts: preact.ComponentChild[] = [];
  let end = 0;
  for (const match of text.matchAll(kTokens)) {
    const style = classOf(match[0]);
    if (style === '') continue;
    parts.push(visible(text.slice(end, match.index)), <span class={style}>{visible(match[0])}</span>);
    end = match.index + match[0].length;
  }
  return <>{parts}{visible(text.slice(end))}</>;
}

interface ExcerptProps {
  file: string;
  line: number;
  around: number;
  marks: Mark[];
  label: string;
}

function linesAround(parts: { first: number; text: string[] }[], line: number, around: number) {
  const lines: { number: number; text: string }[] = [];
  for (const part of parts)
    part.text.forEach((text, i) => {
      if (Math.abs(part.first + i - line) <= around) lines.push({ number: part.first + i, text });
    });
  return lines;
}

function Line({ number, text, marks }: { number: number; text: string; marks: Mark[] }) {
  const style = marks.map((mark) => `marked mark-${mark.style}`).join(' ');
  return (
    <div class={`line ${style}`}>
      <span class="line-number">{number}</span>
      <code><Code text={text} /></code>
      {marks.length > 0 && <span class="mark-label">{marks.map((mark) => mark.label).filter(Boolean).join(' · ')}</span>}
    </div>
  );
}

/** The lines around a place, with marks; says so when they are not in the report. */
export function Excerpt({ file, line, around, marks, label }: ExcerptProps) {
  const { report, source, paths } = useSource(file);
  if (!source || source.missing || !source.parts)
    return (
      <p class="missing">
        {report.sources === undefined ? 'This report was written without source.' :
          `${paths.file(file) || 'The file'} was not there when the report was written.`}
      </p>
    );
  const lines = linesAround(source.parts, line, around);
  if (lines.length === 0) return <p class="missing">{paths.file(file)} has no line {line}: it was changed, or is too large.</p>;
  return (
    <div class="source" role="region" tabIndex={0} aria-label={label}>
      {source.changed && <p class="changed">This file was changed after the program was built: lines may be others.</p>}
      <div class="lines">
        {lines.map(({ number, text }) => (
          <Line key={number} number={number} text={text} marks={marks.filter((mark) => mark.line === number)} />
        ))}
      </div>
    </div>
  );
}

function useSource(file: string) {
  const shared = useShared();
  return { report: shared.report, source: shared.source(file), paths: shared.paths };
}

export function PlaceText({ place }: { place: Place }) {
  const { paths } = useShared();
  const text = paths.place(place);
  if (text === '') return <>{place.function ? visible(place.function) : 'place not known'}</>;
  return <>{text}{place.function && <> in <span class="function">{visible(place.function)}</span></>}</>;
}
