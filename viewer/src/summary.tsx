import { useShared } from './context';
import { CoverageMatrix } from './coverage';
import { History } from './history';
import { otherKeys } from './report';
import type { Report } from './report';
import { counted, titleOf, visible } from './text';

const kStatuses = ['harmful', 'confirmed', 'potential'];

function ByKind({ onFilter }: { onFilter: (kind: string, status: string) => void }) {
  const { report } = useShared();
  const kinds = [...new Set(report.findings.map((finding) => finding.kind))].sort();
  const count = (kind: string, status: string) =>
    report.findings.filter((finding) => finding.kind === kind && finding.status === status).length;
  return (
    <table class="table numbers">
      <caption>Findings by kind and status</caption>
      <thead><tr><th scope="col">kind</th>{kStatuses.map((status) => <th key={status} scope="col" title={report.words?.statuses[status]}>{status}</th>)}</tr></thead>
      <tbody>
        {kinds.map((kind) => (
          <tr key={kind}>
            <th scope="row">{titleOf(report, kind)}</th>
            {kStatuses.map((status) => (
              <td key={status}>{count(kind, status) > 0
                ? <button type="button" class="link" aria-label={`${count(kind, status)} ${status} ${titleOf(report, kind)}: show them`} onClick={() => onFilter(kind, status)}>{count(kind, status)}</button>
                : '–'}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const kStageWords: Record<string, string> = {
  original: 'pairs of accesses in the program', reachable: 'reachable from a thread', aliasing: 'may touch the same memory',
  escaping: 'of memory that threads share', unlocked: 'without a common lock', parallel: 'that may run in parallel',
  join: 'not ordered by a join', slots: 'not in separate slots', candidates: 'candidates that were forced',
};

function Funnel({ report }: { report: Report }) {
  const stages = Object.entries(report.stages ?? {}).filter(([, count]) => typeof count === 'number');
  if (stages.length === 0) return null;
  const most = Math.max(1, ...stages.map(([, count]) => count));
  return (
    <section>
      <h2>What the static analysis leaves</h2>
      <table class="table funnel">
        <thead><tr><th scope="col">stage</th><th scope="col">pairs</th><th scope="col"><span class="hidden">share</span></th></tr></thead>
        <tbody>
          {stages.map(([stage, count]) => (
            <tr key={stage}>
              <th scope="row">{kStageWords[stage] ?? stage}</th>
              <td>{count.toLocaleString('en')}</td>
              <td class="bar"><span style={{ width: `${count === 0 ? 0 : Math.max(1, 100 * Math.log1p(count) / Math.log1p(most))}%` }} /></td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">The length of a bar is the logarithm of the number of pairs.</p>
    </section>
  );
}

function Texts({ title, texts, note }: { title: string; texts: string[]; note?: string }) {
  const { paths } = useShared();
  if (texts.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      {note && <p class="hint">{note}</p>}
      <ul>{texts.map((text, i) => <li key={i}>{paths.text(text)}</li>)}</ul>
    </section>
  );
}

function factsOf(report: Report): [string, string][] {
  const facts: [string, string][] = [];
  const program = [report.program, ...report.arguments].join(' ').trim();
  if (program) facts.push(['program', program]);
  facts.push(['command', `heddle ${report.command}`]);
  if (report.time) facts.push(['when', report.time.replace('T', ' ').replace('Z', ' UTC')]);
  if (report.runs > 0) facts.push(['runs', `${counted(report.runs, 'run')}, and ${counted(report.judging_runs ?? 0, 'more')} to confirm and judge`.replace(/mores/, 'more')]);
  if (report.seconds > 0) facts.push(['time', `${report.seconds.toFixed(1)} s`]);
  facts.push(['heddle', report.heddle]);
  return facts;
}

const isTable = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row));

function cell(value: unknown): string {
  return typeof value === 'string' ? visible(value) : visible(JSON.stringify(value) ?? '');
}

const kMaxRows = 500;

function DataTable({ rows }: { rows: Record<string, unknown>[] }) {
  const columns = [...new Set(rows.slice(0, kMaxRows).flatMap((row) => Object.keys(row)))];
  return (
    <>
      <table class="table">
        <thead><tr>{columns.map((column) => <th key={column} scope="col">{column}</th>)}</tr></thead>
        <tbody>{rows.slice(0, kMaxRows).map((row, i) => <tr key={i}>{columns.map((column) => <td key={column}>{column in row ? cell(row[column]) : ''}</td>)}</tr>)}</tbody>
      </table>
      {rows.length > kMaxRows && <p class="hint">{counted(rows.length - kMaxRows, 'row')} more in the JSON.</p>}
    </>
  );
}

/** What a command adds and has no picture of its own: numbers, tables, or the JSON. */
function OtherData({ report }: { report: Report }) {
  const keys = otherKeys(report);
  const plain = keys.filter((key) => typeof report[key] !== 'object' && report[key] !== '');
  const large = keys.filter((key) => typeof report[key] === 'object' && report[key] !== null && JSON.stringify(report[key]).length > 2);
  if (keys.length === 0) return null;
  return (
    <section>
      <h2>Numbers</h2>
      <dl class="numbers-list">{plain.map((key) => <div key={key}><dt>{key.replace(/_/g, ' ')}</dt><dd>{cell(report[key])}</dd></div>)}</dl>
      {large.map((key) => {
        const value = report[key];
        return (
          <details key={key} open={key === 'checks' || key === 'tests'}>
            <summary>{key.replace(/_/g, ' ')}</summary>
            <div class="scrolls" tabIndex={0} role="region" aria-label={key}>
              {isTable(value) ? <DataTable rows={value} /> : <pre>{visible(JSON.stringify(value, null, 2)).slice(0, 100_000)}</pre>}
            </div>
          </details>
        );
      })}
    </section>
  );
}

export function Summary({ onFilter }: { onFilter: (kind: string, status: string) => void }) {
  const { report } = useShared();
  return (
    <div class="summary">
      <h1>{report.findings.length === 0 ? 'Nothing was found' : counted(report.findings.length, 'finding')}</h1>
      {report.lost && <p class="notice" role="alert">Control of the program was lost: {visible(report.lost)}</p>}
      {report.interrupted && <p class="notice">The command was interrupted: this is what it had until then.</p>}
      <dl class="numbers-list">{factsOf(report).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{visible(value)}</dd></div>)}</dl>
      {report.findings.length > 0 && <ByKind onFilter={onFilter} />}
      <Texts title="What was done" texts={report.summary} />
      <Texts title="Warnings" texts={report.warnings} />
      <Texts title="What was not seen" texts={report.not_seen} note="Accesses in this code are no scheduling points: bugs in it can stay unseen." />
      <Funnel report={report} />
      <CoverageMatrix />
      <History report={report} />
      <OtherData report={report} />
    </div>
  );
}
