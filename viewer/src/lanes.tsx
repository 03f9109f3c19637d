import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { useShared } from './context';
import type { Step } from './report';
import type { Arrow, Interleaving, Interval } from './steps';
import { threadName, visible } from './text';
import { showRow, useWindow } from './virtual';

const kRow = 26;
const kGutter = 64; // step numbers and switch marks
const kPlaceWidth = 150;
const kLineWidth = 80; // where all steps are in one file
const kLeastLane = 150;
const kMaxLane = 340;
const kBar = 5;
const kColours = 8;
const kLetter = 7.6; // width in the font of steps

export interface LanesProps {
  interleaving: Interleaving;
  current: number;
  onCurrent: (at: number) => void;
}

/** How wide a lane may be so that all are seen, if they can be. */
function useLaneWidth(scroller: RefObject<HTMLElement | null>, lanes: number, placeWidth: number): number {
  const [width, setWidth] = useState(200);
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => {
      const room = (element.clientWidth - kGutter - placeWidth - 4) / lanes;
      setWidth(Math.floor(Math.max(kLeastLane, Math.min(kMaxLane, room))));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, lanes, placeWidth]);
  return width;
}

/** Where things are on the drawing. */
class Geometry {
  constructor(readonly laneWidth: number, readonly first: number, readonly indent: number) {}
  /** About where the text of a step ends in its lane. */
  textEnd(interleaving: Interleaving, at: number): number {
    const step = interleaving.steps[at]!;
    const letters = interleaving.shortAction(step).length + shortValue(step).length + 1;
    return this.indent + Math.min(this.laneWidth - this.indent - 14, letters * kLetter + 12);
  }
  x(lane: number): number {
    return kGutter + lane * this.laneWidth;
  }
  y(row: number): number {
    return (row - this.first) * kRow;
  }
  middle(row: number): number {
    return this.y(row) + kRow / 2;
  }
}

function Bars({ interleaving, geometry, last }: { interleaving: Interleaving; geometry: Geometry; last: number }) {
  const { first } = geometry;
  const bar = (interval: Interval, style: string, left: number, width: number) => {
    const below = style === 'blocked' ? kRow / 2 : 0; // the words of the step stay readable
    const from = Math.max(interval.from, first - 1);
    const to = Math.min(interval.to, last + 1);
    return (
      <rect key={`${style}${interval.lane}-${interval.from}-${interval.slot}`} class={style} x={geometry.x(interval.lane) + left}
        y={geometry.middle(from) + below} width={width} height={Math.max(4, (to - from) * kRow - below)}>
        <title>{visible(interval.what)}</title>
      </rect>
    );
  };
  return (
    <g>
      {interleaving.alive(first, last).map((interval) => bar(interval, 'alive', 0, 1.5))}
      {interleaving.blocked(first, last).map((interval) => bar(interval, 'blocked', 3, geometry.laneWidth - 8))}
      {interleaving.held(first, last).map((interval) =>
        bar(interval, `held lock-${interval.colour % kColours}`, 4 + (interval.slot % 4) * (kBar + 2), kBar))}
    </g>
  );
}

/** From the step that allows something to the one that it allows. */
function arrowPath(arrow: Arrow, interleaving: Interleaving, geometry: Geometry): string {
  const fromLane = interleaving.lane(arrow.from);
  const toLane = interleaving.lane(arrow.to);
  const right = toLane > fromLane;
  const isConflict = arrow.kind === 'conflict';
  const end = (lane: number, at: number) => geometry.x(lane) + (isConflict ? geometry.textEnd(interleaving, at) : geometry.laneWidth - 10);
  const begin = (lane: number) => geometry.x(lane) + (isConflict ? geometry.indent - 2 : 4);
  const x1 = right ? end(fromLane, arrow.from) : begin(fromLane);
  const x2 = right ? begin(toLane) : end(toLane, arrow.to);
  const y1 = geometry.middle(arrow.from);
  const y2 = geometry.middle(arrow.to);
  if (fromLane === toLane) {
    const x = end(fromLane, arrow.from);
    return `M${x},${y1} C${x + 22},${y1} ${x + 22},${y2} ${x},${y2}`;
  }
  const bend = (x2 - x1) / 2;
  return `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
}

function Arrows({ interleaving, geometry, last }: { interleaving: Interleaving; geometry: Geometry; last: number }) {
  return (
    <g fill="none">
      {interleaving.arrows(geometry.first, last).map((arrow) => (
        <path key={`${arrow.kind}${arrow.from}-${arrow.to}`} class={`arrow ${arrow.kind}`}
          d={arrowPath(arrow, interleaving, geometry)} marker-end={`url(#head-${arrow.kind})`} />
      ))}
    </g>
  );
}

const kHeads = ['create', 'join', 'notify', 'hand-over', 'switch', 'conflict'];

function ArrowHeads() {
  return (
    <defs>
      {kHeads.map((kind) => (
        <marker key={kind} id={`head-${kind}`} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
          markerUnits="userSpaceOnUse" orient="auto">
          <path d="M0,0 L8,4 L0,8 z" class={`head ${kind}`} />
        </marker>
      ))}
      <pattern id="hatching" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="1.6" height="6" class="hatch" />
      </pattern>
    </defs>
  );
}

/** `×3` for `(3 accesses)`: lanes are narrow. */
function shortValue(step: Step): string {
  return step.value.replace(/\((\d+) (?:accesses|times)\)/, '×$1');
}

/** The end of a long name says more than its middle: which member, which of several locks. */
function middleOut(text: string, most: number): string {
  if (text.length <= most || most < 8) return text;
  const end = Math.floor((most - 1) / 2);
  return `${text.slice(0, most - 1 - end)}…${text.slice(-end)}`;
}

/** Below the last step: what the run ends with. */
function End({ interleaving, geometry }: { interleaving: Interleaving; geometry: Geometry }) {
  const { failure, kind, threads } = interleaving.finding;
  const failing = failure?.site?.thread ?? threads.find((thread) => thread.state === 'failed')?.index;
  const lane = failing === undefined || kind === 'deadlock' ? undefined : interleaving.laneOf.get(failing);
  const text = kind === 'deadlock' ? 'nobody can go on' : failure ? failure.kind.replace(/-/g, ' ') : '';
  if (text === '') return null;
  return (
    <div class="end" role="presentation" style={{ top: `${interleaving.steps.length * kRow}px`, left: `${lane === undefined ? 8 : geometry.x(lane) + geometry.indent}px` }}
      title={visible(failure?.message ?? '')}>✖ {text}</div>
  );
}

interface RowProps {
  step: Step;
  action: string;
  place: string;
  at: number;
  lane: number;
  geometry: Geometry;
  width: number;
  isCurrent: boolean;
  conflict: number;
  isDecisive: boolean;
  onCurrent: (at: number) => void;
}

function Row({ step, action, place, at, lane, geometry, width, isCurrent, conflict, isDecisive, onCurrent }: RowProps) {
  const { paths } = useShared();
  const style = ['step', isCurrent && 'current', step.switched && 'switched', isDecisive && 'decisive',
    conflict >= 0 && 'conflict'].filter(Boolean).join(' ');
  const value = visible(shortValue(step));
  return (
    <div class={style} role="option" id={`step-${at}`} aria-selected={isCurrent} style={{ top: `${at * kRow}px`, width: `${width}px` }}
      onClick={() => onCurrent(at)}>
      <span class="index">{isDecisive ? '◆ ' : step.switched ? '» ' : ''}{step.index}</span>
      <span class="action" style={{ left: `${geometry.x(lane) + geometry.indent}px`, maxWidth: `${geometry.laneWidth - geometry.indent - 14}px` }}
        title={`T${step.thread}: ${visible(step.action)} ${value}`}>
        <span class="words">{middleOut(visible(action), Math.floor((geometry.laneWidth - geometry.indent - 30) / kLetter) - value.length)}</span>{value && <b>{value}</b>}
      </span>
      <span class="place" title={paths.place(step)}>{place}</span>
    </div>
  );
}

/** The line; the file, too, where there are several. */
function placeText(step: Step, interleaving: Interleaving): string {
  if (step.file === '' || step.line === 0) return '';
  return interleaving.file ? `line ${step.line}` : `${step.file.replace(/^.*\//, '')}:${step.line}`;
}

/** Room for the bars of locks on the left of a lane. */
function indentOf(interleaving: Interleaving): number {
  return 9 + Math.min(4, interleaving.mostHeld) * (kBar + 2);
}

const kKeys: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at) => at + 1, ArrowUp: (at) => at - 1, PageDown: (at) => at + 15, PageUp: (at) => at - 15,
  Home: () => 0, End: (_, count) => count - 1,
};

function LaneTitles({ interleaving, laneWidth }: { interleaving: Interleaving; laneWidth: number }) {
  return (
    <div class="lane-titles" aria-hidden="true">
      <span style={{ width: `${kGutter}px` }}>step</span>
      {interleaving.lanes.map((thread) => (
        <span key={thread} style={{ width: `${laneWidth}px` }}>{threadName(thread, interleaving.finding.threads)}</span>
      ))}
      <span>at</span>
    </div>
  );
}

function Legend({ interleaving }: { interleaving: Interleaving }) {
  return (
    <ul class="legend" aria-label="Legend">
      {interleaving.locks.slice(0, kColours).map((lock, i) => (
        <li key={lock}><span class={`swatch lock-${i}`} /> holds {visible(lock)}</li>
      ))}
      <li><span class="swatch waiting" /> waits</li>
      <li><span class="sample">»</span> switch that the schedule made</li>
      <li><span class="sample decisive">◆</span> the switch that matters</li>
      {interleaving.conflict.length > 0 && <li><span class="swatch line-conflict" /> the accesses that conflict</li>}
      <li><span class="swatch line-order" /> start, join, notify, hand-over</li>
    </ul>
  );
}

/** The interleaving: a lane for each thread, time from top to bottom. */
export function Lanes({ interleaving, current, onCurrent }: LanesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const placeWidth = interleaving.file ? kLineWidth : kPlaceWidth;
  const laneWidth = useLaneWidth(scroller, interleaving.lanes.length, placeWidth);
  const count = interleaving.steps.length;
  const { first, last } = useWindow(scroller, count, kRow);
  const geometry = new Geometry(laneWidth, first, indentOf(interleaving));
  const width = kGutter + laneWidth * interleaving.lanes.length + placeWidth;
  useLayoutEffect(() => showRow(scroller.current, current, kRow), [current]);
  const follow = (event: KeyboardEvent) => {
    const move = kKeys[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onCurrent(Math.max(0, Math.min(count - 1, move(current, count))));
  };
  return (
    <div class="interleaving">
      <div class="lanes" ref={scroller} role="listbox" tabIndex={0} aria-label="Steps of the interleaving"
        aria-activedescendant={current >= first && current < last ? `step-${current}` : undefined} onKeyDown={follow}>
        <LaneTitles interleaving={interleaving} laneWidth={laneWidth} />
        <div class="rows" role="presentation" style={{ height: `${(count + 1) * kRow}px`, width: `${width}px` }}>
          <svg aria-hidden="true" style={{ top: `${first * kRow}px` }} width={width} height={(last - first) * kRow}>
            <ArrowHeads />
            <Bars interleaving={interleaving} geometry={geometry} last={last} />
          </svg>
          {interleaving.steps.slice(first, last).map((step, i) => (
            <Row key={first + i} step={step} at={first + i} lane={interleaving.lane(first + i)} geometry={geometry} width={width}
              action={interleaving.shortAction(step)} place={placeText(step, interleaving)} isCurrent={first + i === current} conflict={interleaving.conflict.indexOf(first + i)}
              isDecisive={first + i === interleaving.finding.decisive_step} onCurrent={onCurrent} />
          ))}
          <End interleaving={interleaving} geometry={geometry} />
          <svg class="over" aria-hidden="true" style={{ top: `${first * kRow}px` }} width={width} height={(last - first) * kRow}>
            <Arrows interleaving={interleaving} geometry={geometry} last={last} />
          </svg>
        </div>
      </div>
      <Legend interleaving={interleaving} />
    </div>
  );
}
