import type { HistoryPoint, Report } from './report';
import { visible } from './text';

const kWidth = 640;
const kHeight = 160;

function line(points: HistoryPoint[], value: (point: HistoryPoint) => number): string {
  const runs = Math.max(1, points[points.length - 1]!.runs);
  const most = Math.max(1, ...points.map(value));
  return points.map((point, i) =>
    `${i === 0 ? 'M' : 'L'}${(point.runs / runs * kWidth).toFixed(1)},${(kHeight - value(point) / most * (kHeight - 12)).toFixed(1)}`).join(' ');
}

function Chart({ points }: { points: HistoryPoint[] }) {
  const last = points[points.length - 1]!;
  const words = `${last.behaviours ?? 0} behaviours and ${last.findings} findings in ${last.runs} runs`;
  return (
    <figure>
      <svg class="chart" role="img" aria-label={words} viewBox={`0 -6 ${kWidth} ${kHeight + 12}`} width={kWidth} height={kHeight}>
        <path class="behaviours" d={line(points, (point) => point.behaviours ?? 0)} />
        <path class="findings" d={line(points, (point) => point.findings)} />
      </svg>
      <figcaption>
        <span class="swatch behaviours" /> behaviours, {last.behaviours ?? 0} in the end{' '}
        <span class="swatch findings" /> findings, {last.findings} in the end; from left to right {last.runs.toLocaleString('en')} runs
      </figcaption>
    </figure>
  );
}

function CommandsRun({ report }: { report: Report }) {
  const commands = report.commands_run ?? [];
  if (commands.length === 0) return null;
  return (
    <section>
      <h2>Commands so far</h2>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Commands so far">
        <table class="table">
          <thead><tr>{['started', 'command', 'runs', 'findings', 'seconds'].map((name) => <th key={name} scope="col">{name}</th>)}</tr></thead>
          <tbody>
            {commands.map((entry, i) => (
              <tr key={i}><td>{entry.started.replace('T', ' ').replace('Z', '')}</td><td>heddle {visible(entry.command)} {visible(entry.program)}</td>
                <td>{entry.runs.toLocaleString('en')}</td><td>{entry.findings}</td><td>{entry.seconds.toFixed(1)}</td></tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Runs, behaviours and findings over time. */
export function History({ report }: { report: Report }) {
  const points = report.history ?? [];
  return (
    <>
      {points.length > 1 && <section><h2>Over time</h2><Chart points={points} /></section>}
      <CommandsRun report={report} />
    </>
  );
}
