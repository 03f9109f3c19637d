import { useMemo, useState } from 'preact/hooks';
import { Inspector } from './inspector';
import { Lanes } from './lanes';
import type { Finding } from './report';
import { Interleaving } from './steps';

interface ButtonProps {
  onClick: () => void;
  disabled: boolean;
  children: preact.ComponentChildren;
}

function Button({ onClick, disabled, children }: ButtonProps) {
  return <button type="button" onClick={onClick} disabled={disabled}>{children}</button>;
}

interface ControlsProps {
  interleaving: Interleaving;
  at: number;
  go: (at: number) => void;
}

function Controls({ interleaving, at, go }: ControlsProps) {
  const { steps, switches, conflict, finding } = interleaving;
  const next = switches.find((step) => step > at);
  const previous = switches.findLast((step) => step < at);
  const decisive = finding.decisive_step;
  const other = conflict.find((step) => step > at) ?? conflict[0];
  return (
    <div class="controls" role="toolbar" aria-label="Stepping">
      <Button onClick={() => go(0)} disabled={at === 0}>first</Button>
      <Button onClick={() => go(at - 1)} disabled={at === 0}>◀ back</Button>
      <Button onClick={() => go(at + 1)} disabled={at === steps.length - 1}>forward ▶</Button>
      <Button onClick={() => go(steps.length - 1)} disabled={at === steps.length - 1}>last</Button>
      <Button onClick={() => go(previous!)} disabled={previous === undefined}>« switch</Button>
      <Button onClick={() => go(next!)} disabled={next === undefined}>switch »</Button>
      {decisive !== undefined && <Button onClick={() => go(decisive)} disabled={at === decisive}>◆ the switch that matters</Button>}
      {other !== undefined && <Button onClick={() => go(other)} disabled={false}>next conflicting access</Button>}
      <span class="position">{(at + 1).toLocaleString('en')} of {steps.length.toLocaleString('en')} shown steps</span>
    </div>
  );
}

/** The interleaving of a finding, to go through step by step. */
export function Stepper({ finding }: { finding: Finding }) {
  const interleaving = useMemo(() => new Interleaving(finding), [finding]);
  const [at, setAt] = useState(finding.decisive_step ?? finding.steps.length - 1);
  return (
    <section class="stepper" aria-labelledby="interleaving-title">
      <h2 id="interleaving-title">How it happens</h2>
      <p class="hint">Time runs from top to bottom, one lane for each thread. Click a step, or use the arrow keys.</p>
      <Controls interleaving={interleaving} at={at} go={setAt} />
      <div class="lanes-and-step">
        <Lanes interleaving={interleaving} current={at} onCurrent={setAt} />
        <Inspector interleaving={interleaving} at={at} />
      </div>
    </section>
  );
}
