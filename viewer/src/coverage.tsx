import { useMemo } from 'preact/hooks';
import { useShared } from './context';
import type { Coverage, CoverageSite } from './report';
import { PlaceText } from './source';
import { counted, visible } from './text';

const kMaxSites = 60;

/** Sites of one line are one row: what people know of their program is lines. */
function byLine(coverage: Coverage) {
  const rows: { site: CoverageSite; label: string }[] = [];
  const rowOf: number[] = [];
  const known = new Map<string, number>();
  coverage.sites.forEach((site, i) => {
    const key = `${site.file}:${site.line}`;
    let row = known.get(key);
    if (row === undefined) {
      row = rows.push({ site, label: key }) - 1;
      known.set(key, row);
    }
    rowOf[i] = row;
  });
  const runs = new Map<string, number>();
  for (const pair of coverage.pairs) {
    const key = `${rowOf[pair.first]}/${rowOf[pair.second]}`;
    runs.set(key, (runs.get(key) ?? 0) + pair.runs);
  }
  return { rows, runs };
}

function cellOf(before: number, after: number): { style: string; text: string; meaning: string } {
  if (before > 0 && after > 0) return { style: 'both', text: '⇄', meaning: 'seen in both orders' };
  if (before > 0) return { style: 'one', text: '→', meaning: 'the row came first only' };
  if (after > 0) return { style: 'one', text: '←', meaning: 'the column came first only' };
  return { style: 'none', text: '·', meaning: 'never one right after the other' };
}

function Matrix({ coverage }: { coverage: Coverage }) {
  const { paths } = useShared();
  const { rows, runs } = useMemo(() => byLine(coverage), [coverage]);
  const shown = rows.slice(0, kMaxSites);
  const inOneFile = new Set(rows.map((row) => row.site.file)).size === 1;
  const name = (site: CoverageSite) => inOneFile ? `line ${site.line}` : `${paths.file(site.file).replace(/^.*\//, '')}:${site.line}`;
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Coverage matrix">
      <table class="matrix">
        {inOneFile && <caption>{paths.file(rows[0]!.site.file)}</caption>}
        <thead><tr><td />{shown.map((row) => <th key={row.label} scope="col"><span>{name(row.site)}</span></th>)}</tr></thead>
        <tbody>
          {shown.map((row, i) => (
            <tr key={row.label}>
              <th scope="row" title={visible(row.site.object)}>{name(row.site)} <span class="object">{visible(row.site.object)}</span></th>
              {shown.map((column, k) => {
                const cell = cellOf(runs.get(`${i}/${k}`) ?? 0, runs.get(`${k}/${i}`) ?? 0);
                return <td key={column.label} class={cell.style} title={`${name(row.site)} and ${name(column.site)}: ${cell.meaning}`}>{cell.text}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > kMaxSites && <p class="hint">{counted(rows.length - kMaxSites, 'line')} more in the JSON.</p>}
    </div>
  );
}

/** Which accesses to shared memory were interleaved with which, and what was never reached. */
export function CoverageMatrix() {
  const { report } = useShared();
  const coverage = report.coverage;
  if (!coverage) return null;
  return (
    <section>
      <h2>What was interleaved with what</h2>
      <p class="hint">Accesses of different threads, one right after the other: ⇄ in both orders, → and ← in one only, · never.</p>
      {coverage.sites.length > 0 && <Matrix coverage={coverage} />}
      {(coverage.unreached ?? []).length > 0 && (
        <>
          <h3>Never reached</h3>
          <ul>{coverage.unreached!.map((site, i) => <li key={i}>{site.access} {visible(site.object)} at <PlaceText place={site} /></li>)}</ul>
        </>
      )}
    </section>
  );
}
