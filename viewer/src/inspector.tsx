import { useShared } from './context';
import type { Interleaving } from './steps';
import { Excerpt, PlaceText } from './source';
import { threadName, visible } from './text';

/** Why the current step is a special one. */
function StepNote({ interleaving, at }: { interleaving: Interleaving; at: number }) {
  const { finding, steps } = interleaving;
  const step = steps[at]!;
  const before = steps[at - 1];
  const side = interleaving.conflict.indexOf(at);
  return (
    <>
      {at === finding.decisive_step && before && (
        <p class="note decisive">◆ The switch that matters: {threadName(before.thread, finding.threads)} is interrupted after
          “{visible(before.action)}”, and {threadName(step.thread, finding.threads)} goes on.</p>
      )}
      {at !== finding.decisive_step && step.switched && before && (
        <p class="note">» The schedule switches here from {threadName(before.thread, finding.threads)} to {threadName(step.thread, finding.threads)}.</p>
      )}
      {side >= 0 && <p class="note conflict">Access {side + 1} of the {interleaving.conflict.length} that conflict.</p>}
      {at === steps.length - 1 && finding.failure && <p class="note failure">Here it breaks: {visible(finding.failure.message)}</p>}
    </>
  );
}

/** Where the thread stands that had to give way. */
function Interrupted({ interleaving, at }: { interleaving: Interleaving; at: number }) {
  const { paths } = useShared();
  const before = interleaving.steps[at - 1];
  if (!interleaving.switches.includes(at) || !before || before.file === '' || before.value === '(waits)') return null;
  return (
    <>
      <p class="place">T{before.thread} has done <PlaceText place={before} /></p>
      <Excerpt file={before.file} line={before.line} around={3} label={`Source at ${paths.place(before)}`}
        marks={[{ line: before.line, label: `T${before.thread} got this far`, style: 'taken' }]} />
    </>
  );
}

function Values({ interleaving, at }: { interleaving: Interleaving; at: number }) {
  const values = interleaving.values(at);
  if (values.length === 0) return null;
  return (
    <table class="values">
      <caption>Values seen so far</caption>
      <tbody>
        {values.map((entry) => (
          <tr key={entry.object} class={entry.at === at ? 'new' : undefined}>
            <th scope="row">{visible(entry.object)}</th>
            <td>{visible(entry.value)}</td>
            <td class="by">{entry.verb} by T{interleaving.steps[entry.at]!.thread}, step {interleaving.steps[entry.at]!.index}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Threads({ interleaving, at }: { interleaving: Interleaving; at: number }) {
  const held = interleaving.held(at, at).filter((interval) => interval.from <= at && interval.to > at);
  const blocked = interleaving.blocked(at, at).filter((interval) => interval.from <= at && interval.to > at);
  const rows = interleaving.lanes.map((thread, lane) => ({
    thread,
    locks: held.filter((interval) => interval.lane === lane).map((interval) => visible(interval.what)),
    waits: blocked.filter((interval) => interval.lane === lane).map((interval) => visible(interval.what)),
  })).filter((row) => row.locks.length > 0 || row.waits.length > 0);
  if (rows.length === 0) return null;
  return (
    <table class="values">
      <caption>Locks and waits</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row.thread}>
            <th scope="row">{threadName(row.thread, interleaving.finding.threads)}</th>
            <td>
              {row.locks.length > 0 && <>holds {row.locks.join(', ')}</>}
              {row.locks.length > 0 && row.waits.length > 0 && '; '}
              {row.waits.length > 0 && <span class="waits">waits: {row.waits.join(', ')}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** All about the step that is looked at. */
export function Inspector({ interleaving, at }: { interleaving: Interleaving; at: number }) {
  const { paths } = useShared();
  const step = interleaving.steps[at]!;
  return (
    <section class="inspector" aria-label="The current step">
      <h3>Step {step.index}: {threadName(step.thread, interleaving.finding.threads)} — {visible(step.action)} {visible(step.value)}</h3>
      <div aria-live="polite"><StepNote interleaving={interleaving} at={at} /></div>
      <Interrupted interleaving={interleaving} at={at} />
      {step.file !== '' && (
        <>
          <p class="place">T{step.thread} is at <PlaceText place={step} /></p>
          <Excerpt file={step.file} line={step.line} around={4} label={`Source at ${paths.place(step)}`}
            marks={[{ line: step.line, label: `T${step.thread}`, style: 'current' }]} />
        </>
      )}
      <Values interleaving={interleaving} at={at} />
      <Threads interleaving={interleaving} at={at} />
    </section>
  );
}
