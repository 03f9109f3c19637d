import { useMemo } from 'preact/hooks';
import { KindBadge, StatusBadge } from './badges';
import { useShared } from './context';
import { CopyButton } from './copy';
import { PathGraph } from './path_graph';
import { PatternPicture } from './pattern';
import type { Finding, Place, Thread } from './report';
import { panelsOf, siteTitle } from './panels';
import type { Panel } from './panels';
import { Excerpt, PlaceText } from './source';
import type { Mark } from './source';
import { Stepper } from './stepper';
import { counted, sentence, threadName, visible } from './text';

/** A panel's own marks, then those of others in the same file, each once. */
function allMarks(panel: Panel, panels: Panel[]): Mark[] {
  const others = panels.filter((other) => other !== panel && other.place.file === panel.place.file);
  const marks = [...panel.marks, ...others.flatMap((other) => other.marks)];
  const keys = marks.map((mark) => `${mark.line} ${mark.label}`);
  return marks.filter((_, i) => keys.indexOf(keys[i]!) === i);
}

function Sources({ finding }: { finding: Finding }) {
  const { paths } = useShared();
  const panels = useMemo(() => panelsOf(finding), [finding]);
  if (panels.length === 0) return <p class="missing">No place in the source is known: compile with -g.</p>;
  return (
    <section aria-labelledby="source-title">
      <h2 id="source-title">Where</h2>
      <div class="panels">
        {panels.map((panel, i) => (
          <article key={i} class={`panel panel-${panel.marks[0]!.style}`}>
            <h3>{panel.title}</h3>
            <p class="place"><PlaceText place={panel.place} /></p>
            {panel.held.length > 0 && <p class="place">holds {panel.held.map((lock) => paths.text(lock)).join(', ')}</p>}
            <Excerpt file={panel.place.file} line={panel.place.line} around={6} label={`Source of ${panel.title}`}
              marks={allMarks(panel, panels)} />
          </article>
        ))}
      </div>
    </section>
  );
}

function factsOf(finding: Finding, meaning: string | undefined): string[] {
  const facts = [`${finding.status}${meaning ? `: ${meaning}` : ''}`];
  if (finding.test) facts.push(`in test ${finding.test}`);
  if (finding.run) facts.push(`found in run ${finding.run} by strategy ${finding.strategy}, seed ${finding.seed}`);
  if (finding.preemptions !== undefined) {
    const was = finding.minimized_from;
    facts.push(`this schedule has ${counted(finding.preemptions, 'preemption')} and ${counted(finding.context_switches ?? 0, 'context switch').replace(/switchs$/, 'switches')}` +
      (was ? `; the run that was found had ${was.preemptions} and ${was.context_switches}` : ''));
  }
  if (finding.probability !== null && finding.probability !== undefined)
    facts.push(`happened in ${Math.round(finding.probability * 100)}% of the runs that tried to force it`);
  return [...facts, ...(finding.notes ?? [])];
}

function Orders({ finding }: { finding: Finding }) {
  const orders = finding.orders ?? [];
  if (orders.length < 2 || finding.sites.length < 2) return null;
  const name = (at: number) => `${finding.sites[at]!.access} by T${finding.sites[at]!.thread}`;
  return (
    <section class="orders">
      <h2>The two orders</h2>
      <div class="panels">
        {orders.map((order) => {
          const first = order.first_site;
          const verdict = order.runs === 0 ? 'was never triggered' : order.failures === 0 ? 'never fails' :
            order.failures === order.runs ? 'always fails' : 'fails sometimes';
          return (
            <article key={first} class={`panel order ${order.failures > 0 ? 'fails' : 'passes'}`}>
              <h3>{name(first)}, then {name(1 - first)}</h3>
              <p><strong>{verdict}</strong>: {order.failures} of {counted(order.runs, 'run')} failed</p>
            </article>
          );
        })}
      </div>
    </section>
  );
}

function MissingOrder({ finding }: { finding: Finding }) {
  const missing = finding.missing_order;
  if (!missing) return null;
  return (
    <section>
      <h2>The memory order that is missing</h2>
      <table class="table">
        <thead><tr><th>access to {visible(missing.object)}</th><th>at</th><th>has</th><th>needs</th></tr></thead>
        <tbody>
          {[missing.store, missing.load].map((access, i) => (
            <tr key={i}><td>{access.access}</td><td><PlaceText place={access} /></td><td><code>{access.order}</code></td>
              <td>{access.needs ? <code>{access.needs}</code> : 'right as it is'}</td></tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function StackView({ title, stack }: { title: string; stack: Place[] }) {
  if (stack.length === 0) return null;
  return (
    <div class="stack">
      <h4>{title}</h4>
      <ol start={0}>
        {stack.map((frame, i) => (
          <li key={i} class={frame.file.startsWith('/usr/') ? 'library' : undefined}><PlaceText place={frame} /></li>
        ))}
      </ol>
    </div>
  );
}

function ThreadView({ thread, finding }: { thread: Thread; finding: Finding }) {
  const { paths } = useShared();
  return (
    <details open={finding.sites.length === 0 && thread.state.startsWith('blocked')}>
      <summary>{threadName(thread.index, finding.threads)} — {paths.text(thread.state) || 'state not known'}
        {thread.held.length > 0 && `; holds ${thread.held.map((lock) => paths.text(lock)).join(', ')}`}</summary>
      <StackView title="is at" stack={thread.stack} />
      <StackView title="was created at" stack={thread.created_at} />
    </details>
  );
}

function Stacks({ finding }: { finding: Finding }) {
  const failing = finding.failure?.site;
  return (
    <section>
      <h2>Stacks</h2>
      <div class="panels">
        {finding.sites.map((site, i) => site.stack.length > 0 && (
          <details key={i} class={`panel panel-site-${i % 4}`} open>
            <summary>{i + 1}. {siteTitle(site, finding)}</summary>
            <StackView title="stack" stack={site.stack} />
          </details>
        ))}
      </div>
      {failing && <details><summary>where it breaks</summary><StackView title="stack" stack={failing.stack} /></details>}
      {finding.threads.map((thread) => <ThreadView key={thread.index} thread={thread} finding={finding} />)}
    </section>
  );
}

const kCommandWords: Record<string, string> = {
  replay: 'the same run again', debug: 'the same run under a debugger', minimize: 'look for a schedule with fewer switches',
  export: 'one file that replays on another machine', suppress: 'a line for the file of --suppressions',
};

function Commands({ finding }: { finding: Finding }) {
  const commands = Object.entries(finding.commands ?? (finding.replay ? { replay: finding.replay } : {}));
  if (commands.length === 0) return null;
  return (
    <section>
      <h2>What to do next</h2>
      <dl class="commands">
        {commands.map(([name, text]) => (
          <div key={name}>
            <dt>{kCommandWords[name] ?? name}</dt>
            <dd><code>{visible(text)}</code> <CopyButton text={text} label={name} /></dd>
          </div>
        ))}
      </dl>
      {finding.schedule && <details><summary>the schedule as text</summary><p><code class="schedule">{visible(finding.schedule)}</code> <CopyButton text={finding.schedule} label="schedule" /></p></details>}
    </section>
  );
}

function RelatedPatterns({ finding }: { finding: Finding }) {
  const { paths } = useShared();
  const related = finding.related ?? [];
  if (related.length === 0) return null;
  return (
    <details class="related">
      <summary>{counted(related.length, 'other sign')} of the same bug</summary>
      <ul>{related.map((other) => <li key={other.id}>{paths.text(other.message)} <code>{other.id}</code></li>)}</ul>
    </details>
  );
}

function Outcomes({ finding }: { finding: Finding }) {
  if (!finding.outcomes) return null;
  return (
    <section>
      <h2>What came out, and what could have</h2>
      <div class="panels">
        <article class="panel order fails"><h3>observed</h3><pre>{visible(finding.outcomes.observed)}</pre></article>
        {finding.outcomes.serial.map((text, i) => (
          <article key={i} class="panel order passes"><h3>one after the other, {i + 1}</h3><pre>{visible(text)}</pre></article>
        ))}
      </div>
    </section>
  );
}

interface PageProps {
  finding: Finding;
  before: string | undefined;
  after: string | undefined;
}

function Head({ finding, before, after }: PageProps) {
  const { report, paths } = useShared();
  const { cause, effect } = sentence(finding, paths);
  const words = report.words;
  return (
    <>
      <p class="crumbs">
        <a href="#findings">← all findings</a>
        {before && <a href={`#${before}`}>previous</a>}
        {after && <a href={`#${after}`}>next</a>}
      </p>
      <p class="badges"><StatusBadge status={finding.status} /> <KindBadge kind={finding.kind} /> <code>{finding.id}</code></p>
      <h1>{cause}</h1>
      {effect && <p class="effect"><strong>It leads to:</strong> {effect}</p>}
      {words?.kinds[finding.kind] && <p class="advice"><strong>What helps:</strong> {words.kinds[finding.kind]!.advice}</p>}
      <ul class="facts">{factsOf(finding, words?.statuses[finding.status]).map((fact, i) => <li key={i}>{paths.text(fact)}</li>)}</ul>
    </>
  );
}

export function FindingPage(props: PageProps) {
  const { finding } = props;
  return (
    <div class="finding">
      <Head {...props} />
      {finding.steps.length > 0 && <Stepper finding={finding} />}
      <Sources finding={finding} />
      {finding.kind === 'atomicity-violation' && finding.sites.length > 1 && (
        <PatternPicture sites={finding.sites} inferred={finding.inferred ?? false} />
      )}
      <RelatedPatterns finding={finding} />
      <Orders finding={finding} />
      <Outcomes finding={finding} />
      <MissingOrder finding={finding} />
      <PathGraph finding={finding} />
      <Commands finding={finding} />
      <Stacks finding={finding} />
      {finding.output && (
        <section>
          <h2>Output of the program in this run</h2>
          <pre class="output" tabIndex={0}>{visible(finding.output)}</pre>
        </section>
      )}
    </div>
  );
}
