import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { KindBadge, StatusBadge } from './badges';
import { useShared } from './context';
import type { Shared } from './context';
import type { Finding } from './report';
import { counted, primaryPlace, sentence, titleOf } from './text';
import { showRow, useWindow } from './virtual';

export interface Filter {
  kind: string;
  status: string;
  file: string;
  text: string;
  sort: 'weight' | 'kind' | 'place' | 'id';
}

export const initialFilter: Filter = { kind: '', status: '', file: '', text: '', sort: 'weight' };

const kRowHeight = 78;
const kWeights = ['harmful', 'confirmed', 'potential'];

/** A finding as the list shows and searches it. */
interface Row {
  finding: Finding;
  link: string;
  file: string;
  place: string;
  cause: string;
  effect: string;
  searched: string;
}

function rowsOf(shared: Shared, links: string[]): Row[] {
  return shared.report.findings.map((finding, at) => {
    const place = primaryPlace(finding);
    const { cause, effect } = sentence(finding, shared.paths);
    const row = {
      finding, link: links[at]!, cause, effect,
      file: place ? shared.paths.file(place.file) : '',
      place: place ? shared.paths.place(place) : '',
    };
    const objects = finding.sites.map((site) => `${site.object} ${site.function}`).join(' ');
    return { ...row, searched: `${finding.id} ${row.place} ${finding.message} ${objects} ${finding.test ?? ''}`.toLowerCase() };
  });
}

function selected(rows: Row[], filter: Filter): Row[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = rows.filter((row) =>
    (filter.kind === '' || row.finding.kind === filter.kind) &&
    (filter.status === '' || row.finding.status === filter.status) &&
    (filter.file === '' || row.file === filter.file) &&
    words.every((word) => row.searched.includes(word)));
  const compare: Record<Filter['sort'], (a: Row, b: Row) => number> = {
    weight: (a, b) => kWeights.indexOf(a.finding.status) - kWeights.indexOf(b.finding.status),
    kind: (a, b) => a.finding.kind.localeCompare(b.finding.kind),
    place: (a, b) => a.place.localeCompare(b.place, 'en', { numeric: true }),
    id: (a, b) => a.finding.id.localeCompare(b.finding.id),
  };
  return kept.sort(compare[filter.sort]);
}

interface ChoiceProps {
  label: string;
  value: string;
  options: [string, string][];
  onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([key, text]) => <option key={key} value={key}>{text}</option>)}
      </select>
    </label>
  );
}

function Filters({ rows, filter, onFilter }: { rows: Row[]; filter: Filter; onFilter: (filter: Filter) => void }) {
  const { report } = useShared();
  const unique = (values: string[]) => [...new Set(values)].filter(Boolean).sort();
  const kinds = useMemo(() => unique(rows.map((row) => row.finding.kind)), [rows]);
  const files = useMemo(() => unique(rows.map((row) => row.file)), [rows]);
  const statuses = kWeights.filter((status) => rows.some((row) => row.finding.status === status));
  const all = (text: string, values: [string, string][]): [string, string][] => [['', text], ...values];
  const set = (change: Partial<Filter>) => onFilter({ ...filter, ...change });
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        Search{' '}
        <input id="search" type="search" value={filter.text} placeholder="message, variable, function, id   ( / )"
          onInput={(event) => set({ text: event.currentTarget.value })} />
      </label>
      <Choice label="Kind" value={filter.kind} onChange={(kind) => set({ kind })}
        options={all('all', kinds.map((kind) => [kind, titleOf(report, kind)]))} />
      <Choice label="Status" value={filter.status} onChange={(status) => set({ status })}
        options={all('all', statuses.map((status) => [status, status]))} />
      <Choice label="File" value={filter.file} onChange={(file) => set({ file })}
        options={all('all', files.map((file) => [file, file]))} />
      <Choice label="Sort by" value={filter.sort} onChange={(sort) => set({ sort: sort as Filter['sort'] })}
        options={[['weight', 'status'], ['kind', 'kind'], ['place', 'place'], ['id', 'id']]} />
    </form>
  );
}

function RowView({ row, at, current, count }: { row: Row; at: number; current: boolean; count: number }) {
  return (
    <li class={current ? 'row current' : 'row'} style={{ top: `${at * kRowHeight}px` }}
      aria-posinset={at + 1} aria-setsize={count} data-link={row.link}>
      <a href={`#${row.link}`} aria-current={current ? 'true' : undefined}>
        <span class="badges"><StatusBadge status={row.finding.status} /> <KindBadge kind={row.finding.kind} /></span>
        <span class="what">
          <span class="cause">{row.cause}</span>
          {row.effect && <span class="effect">leads to: {row.effect}</span>}
        </span>
        <span class="where"><span>{row.place || 'place not known'}</span><code>{row.finding.id}</code></span>
      </a>
    </li>
  );
}

/** j, k and the arrows move, Enter opens, / searches. */
function useListKeys(count: number, current: number, move: (to: number) => void, open: () => void): void {
  useLayoutEffect(() => { // not later: the next key must find the new position
    const follow = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key === 'Escape' && typing) (event.target as HTMLElement).blur();
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const steps: Record<string, number> = {
        ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 8, PageUp: -8, Home: -count, End: count,
      };
      const step = steps[event.key];
      if (step !== undefined) move(Math.max(0, Math.min(count - 1, current + step)));
      else if (event.key === '/') document.getElementById('search')?.focus();
      else if (event.key === 'Enter' && !(event.target instanceof HTMLAnchorElement)) open();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  });
}

interface ListProps {
  links: string[];
  filter: Filter;
  onFilter: (filter: Filter) => void;
}

export function FindingList({ links, filter, onFilter }: ListProps) {
  const shared = useShared();
  const rows = useMemo(() => rowsOf(shared, links), [shared, links]);
  const shown = useMemo(() => selected(rows, filter), [rows, filter]);
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const at = Math.min(current, Math.max(0, shown.length - 1));
  const { first, last } = useWindow(scroller, shown.length, kRowHeight);
  useListKeys(shown.length, at, (to) => { setCurrent(to); showRow(scroller.current, to, kRowHeight); },
    () => { if (shown[at]) location.hash = shown[at].link; });
  return (
    <>
      <h1>Findings</h1>
      <Filters rows={rows} filter={filter} onFilter={onFilter} />
      <p class="hint" aria-live="polite">
        {shown.length === rows.length ? counted(rows.length, 'finding') : `${shown.length.toLocaleString('en')} of ${counted(rows.length, 'finding')}`}
        {' '}· <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens, <kbd>/</kbd> searches
      </p>
      <div class="list" ref={scroller} tabIndex={0} aria-label="List of findings" role="region">
        <ul style={{ height: `${shown.length * kRowHeight}px` }}>
          {shown.slice(first, last).map((row, i) => (
            <RowView key={row.link} row={row} at={first + i} current={first + i === at} count={shown.length} />
          ))}
        </ul>
      </div>
    </>
  );
}
