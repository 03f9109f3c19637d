// What the steps of an interleaving mean: who holds which lock, who waits, what leads to what.
import type { Finding, Site, Step } from './report';

/** The words with which an action begins, longest first; docs/formats.md lists them. */
const kVerbs = [
  'static init done', 'semaphore wait', 'semaphore post', 'rwlock unlock', 'atomic update',
  'atomic write', 'exit process', 'atomic read', 'static init', 'spin unlock', 'unseen call',
  'futex wait', 'futex wake', 'write lock', 'read lock', 'spin lock', 'broadcast', 'once done',
  'try lock', 'allocate', 'barrier', 'release', 'acquire', 'unlock', 'create', 'detach', 'cancel',
  'signal', 'write', 'start', 'woken', 'clock', 'sleep', 'yield', 'fence', 'read', 'spin', 'exit',
  'join', 'lock', 'wait', 'once', 'free', 'call', 'i/o',
];
const kAcquires = new Set(['lock', 'try lock', 'read lock', 'write lock', 'spin lock']);
const kReleases = new Set(['unlock', 'rwlock unlock', 'spin unlock']);

export interface Action {
  verb: string;
  object: string;
}

export function parseAction(action: string): Action {
  for (const verb of kVerbs)
    if (action === verb || action.startsWith(verb + ' '))
      return { verb, object: action.slice(verb.length + 1) };
  return { verb: '', object: action };
}

const waits = (step: Step): boolean => step.value === '(waits)';
const isGap = (step: Step): boolean => step.action.startsWith('…');

export interface Interval {
  lane: number;
  from: number;
  to: number;
  what: string;
  slot: number;
  colour: number;
}

export type ArrowKind = 'create' | 'join' | 'notify' | 'hand-over' | 'switch' | 'conflict';

export interface Arrow {
  kind: ArrowKind;
  from: number;
  to: number;
}

/** Finds what touches a window of steps without looking at all of it. */
class Index<T extends { from: number; to: number }> {
  private static readonly kBlock = 256;
  private readonly blocks: T[][] = [];

  constructor(items: T[]) {
    for (const item of items) {
      const last = Math.floor(Math.max(item.from, item.to) / Index.kBlock);
      for (let block = Math.floor(Math.min(item.from, item.to) / Index.kBlock); block <= last; ++block)
        (this.blocks[block] ??= []).push(item);
    }
  }

  within(first: number, last: number): T[] {
    const found = new Set<T>();
    const end = Math.floor(last / Index.kBlock);
    for (let block = Math.floor(first / Index.kBlock); block <= end; ++block)
      for (const item of this.blocks[block] ?? [])
        if (Math.min(item.from, item.to) <= last && Math.max(item.from, item.to) >= first)
          found.add(item);
    return [...found];
  }
}

/** Gathers locks, waits and arrows while it goes through the steps once. */
class Gatherer {
  readonly held: Interval[] = [];
  readonly blocked: Interval[] = [];
  readonly alive: Interval[] = [];
  readonly arrows: Arrow[] = [];
  readonly locks: string[] = [];
  private readonly holding = new Map<string, { interval: Interval; depth: number }>();
  private readonly waiting = new Map<number, Interval>();
  private readonly conditions = new Map<number, string>(); // what for
  private readonly slots = new Map<number, boolean[]>();
  private readonly creates = new Map<string, number>();
  private readonly exits = new Map<number, number>();
  private readonly notified = new Map<number, number>();
  private readonly released = new Map<string, number>();
  private readonly living = new Map<number, Interval>();

  constructor(private readonly steps: Step[], private readonly laneOf: Map<number, number>) {
    steps.forEach((step, at) => this.see(step, at));
    this.end();
  }

  private lane(step: Step): number {
    return this.laneOf.get(step.thread) ?? 0;
  }

  private see(step: Step, at: number): void {
    const before = this.steps[at - 1];
    if (before && step.switched && before.thread !== step.thread)
      this.arrows.push({ kind: 'switch', from: at - 1, to: at });
    this.live(step, at);
    if (isGap(step)) return;
    const { verb, object } = parseAction(step.action);
    this.unblock(step, at, object);
    if (verb === 'create' && !waits(step)) this.creates.set(object, at);
    if (verb === 'start') this.arrow('create', this.creates.get(`T${step.thread}`), at);
    if (verb === 'exit') this.exits.set(step.thread, at);
    if (verb === 'join' && !waits(step)) this.arrow('join', this.exits.get(Number(object.slice(1))), at);
    this.follow(step, at, verb, object);
    for (const [, thread] of step.value.matchAll(/T(\d+)/g))
      if (step.value.startsWith('(wakes')) this.notified.set(Number(thread), at);
  }

  private follow(step: Step, at: number, verb: string, object: string): void {
    if (kAcquires.has(verb) && !waits(step) && step.value !== '(busy)') this.acquire(step, at, verb, object);
    if (kReleases.has(verb)) this.release(step, at, object);
    if (verb === 'wait' && !waits(step)) this.conditions.set(step.thread, step.action);
    const sleeps = waits(step) || this.conditions.has(step.thread);
    if (sleeps && !this.waiting.has(step.thread) && (waits(step) || kReleases.has(verb)))
      this.waiting.set(step.thread, this.interval(step, at, waits(step) ? step.action : this.conditions.get(step.thread)!));
  }

  private interval(step: Step, at: number, what: string): Interval {
    return { lane: this.lane(step), from: at, to: this.steps.length, what, slot: 0, colour: 0 };
  }

  private live(step: Step, at: number): void {
    let interval = this.living.get(step.thread);
    if (!interval) {
      interval = this.interval(step, at, '');
      this.living.set(step.thread, interval);
      this.alive.push(interval);
    }
    if (step.action === 'exit') interval.to = at;
  }

  private unblock(step: Step, at: number, object: string): void {
    const interval = this.waiting.get(step.thread);
    if (!interval) return;
    interval.to = at;
    this.blocked.push(interval);
    this.waiting.delete(step.thread);
    this.conditions.delete(step.thread);
    const notified = this.notified.get(step.thread);
    if (notified !== undefined && notified > interval.from) this.arrow('notify', notified, at);
    else if (interval.what.endsWith(' ' + object)) {
      const released = this.released.get(object);
      if (released !== undefined && released > interval.from) this.arrow('hand-over', released, at);
    }
  }

  private arrow(kind: ArrowKind, from: number | undefined, to: number): void {
    if (from !== undefined && from < to) this.arrows.push({ kind, from, to });
  }

  private acquire(step: Step, at: number, verb: string, object: string): void {
    const key = `${step.thread}/${object}`;
    const own = this.holding.get(key);
    if (own) {
      ++own.depth;
      return;
    }
    if (verb !== 'read lock') this.closeOthers(object, at);
    const interval = this.interval(step, at, object);
    interval.slot = this.takeSlot(interval.lane);
    interval.colour = this.colourOf(object);
    this.holding.set(key, { interval, depth: 1 });
  }

  /** A release may be among the steps that are not shown; two holders cannot be. */
  private closeOthers(object: string, at: number): void {
    for (const [key, { interval }] of this.holding)
      if (key.slice(key.indexOf('/') + 1) === object) this.close(key, interval, at - 1);
  }

  private release(step: Step, at: number, object: string): void {
    this.released.set(object, at);
    const key = `${step.thread}/${object}`;
    const own = this.holding.get(key);
    if (own && --own.depth === 0) this.close(key, own.interval, at);
  }

  private close(key: string, interval: Interval, at: number): void {
    interval.to = Math.max(interval.from, at);
    this.held.push(interval);
    this.holding.delete(key);
    this.slots.get(interval.lane)![interval.slot] = false;
  }

  private takeSlot(lane: number): number {
    const slots = this.slots.get(lane) ?? [];
    this.slots.set(lane, slots);
    let slot = slots.indexOf(false);
    if (slot < 0) slot = slots.length;
    slots[slot] = true;
    return slot;
  }

  private colourOf(lock: string): number {
    const at = this.locks.indexOf(lock);
    return at >= 0 ? at : this.locks.push(lock) - 1;
  }

  private end(): void {
    for (const [key, { interval }] of [...this.holding]) this.close(key, interval, this.steps.length);
    for (const interval of this.waiting.values()) this.blocked.push(interval);
  }
}

const matches = (step: Step, site: Site): boolean =>
  step.thread === site.thread && step.line === site.line && step.file === site.file &&
  (step.column === site.column || !site.column) && sameAccess(parseAction(step.action).verb, site.access);

function sameAccess(verb: string, access: string): boolean {
  if (access === 'read' || access === 'write' || access === 'free') return verb === access;
  if (access === 'atomic') return verb.startsWith('atomic');
  return true;
}

/** The steps at which the sites of an atomicity violation come about, in order, from the end. */
function orderedSteps(finding: Finding): number[] {
  const found: number[] = [];
  let at = finding.steps.length - 1;
  for (const site of [...finding.sites].reverse()) {
    while (at >= 0 && !matches(finding.steps[at]!, site)) --at;
    if (at < 0) return [];
    found.unshift(at--);
  }
  return found;
}

/** The steps of a race: those of the two sides that are nearest to each other. */
function racingSteps(finding: Finding): number[] {
  const [first, second] = finding.sites;
  if (!first || !second) return [];
  let best: number[] = [];
  let last: [number, number] = [-1, -1];
  finding.steps.forEach((step, at) => {
    [first, second].forEach((site, side) => {
      if (!matches(step, site)) return;
      last[side] = at;
      const other = last[1 - side]!;
      if (other >= 0 && other !== at && (best.length === 0 || at - other <= best[1]! - best[0]!))
        best = [other, at];
    });
  });
  return best;
}

/** Where the sites of the finding are among its steps; empty: they are not shown there. */
export function conflictSteps(finding: Finding): number[] {
  if (finding.kind === 'atomicity-violation') return orderedSteps(finding);
  return finding.kind === 'data-race' ? racingSteps(finding) : [];
}

/**
 * Shorter names for the lanes: `balance_` for `Account::balance_` as long as no other object of these
 * steps would be called the same.
 */
function shortNames(steps: Step[]): Map<string, string> {
  const owners = new Map<string, Set<string>>();
  const objects = new Set(steps.map((step) => parseAction(step.action).object));
  const short = (object: string) => object.replace(/^(?:\w+::)+(?=[\w~])/, '');
  for (const object of objects) {
    const name = short(object);
    owners.set(name, (owners.get(name) ?? new Set()).add(object));
  }
  const names = new Map<string, string>();
  for (const object of objects)
    if (owners.get(short(object))!.size === 1) names.set(object, short(object));
  return names;
}

/** The interleaving of a finding, ready to be drawn. */
export class Interleaving {
  readonly steps: Step[];
  readonly lanes: number[];
  readonly laneOf = new Map<number, number>();
  readonly conflict: number[];
  readonly locks: string[];
  readonly switches: number[];
  /** The most locks that one thread holds at a time. */
  readonly mostHeld: number;
  /** The only file of all steps; empty: there are several. */
  readonly file: string;
  private readonly names: Map<string, string>;
  private readonly heldIndex: Index<Interval>;
  private readonly blockedIndex: Index<Interval>;
  private readonly aliveIndex: Index<Interval>;
  private readonly arrowIndex: Index<Arrow>;

  constructor(readonly finding: Finding) {
    this.steps = finding.steps;
    const threads = new Set(this.steps.map((step) => step.thread));
    this.lanes = [...threads].sort((a, b) => a - b);
    this.lanes.forEach((thread, lane) => this.laneOf.set(thread, lane));
    this.names = shortNames(this.steps);
    const files = new Set(this.steps.map((step) => step.file).filter(Boolean));
    this.file = files.size === 1 ? [...files][0]! : '';
    const gathered = new Gatherer(this.steps, this.laneOf);
    this.conflict = conflictSteps(finding);
    for (let i = 1; i < this.conflict.length; ++i)
      gathered.arrows.push({ kind: 'conflict', from: this.conflict[i - 1]!, to: this.conflict[i]! });
    this.locks = gathered.locks;
    this.switches = gathered.arrows.filter((arrow) => arrow.kind === 'switch').map((arrow) => arrow.to);
    this.mostHeld = gathered.held.reduce((most, interval) => Math.max(most, interval.slot + 1), 0);
    this.heldIndex = new Index(gathered.held);
    this.blockedIndex = new Index(gathered.blocked);
    this.aliveIndex = new Index(gathered.alive);
    this.arrowIndex = new Index(gathered.arrows);
  }

  held(first: number, last: number): Interval[] {
    return this.heldIndex.within(first, last);
  }
  blocked(first: number, last: number): Interval[] {
    return this.blockedIndex.within(first, last);
  }
  alive(first: number, last: number): Interval[] {
    return this.aliveIndex.within(first, last);
  }
  arrows(first: number, last: number): Arrow[] {
    return this.arrowIndex.within(first, last);
  }

  /** An action in few letters. */
  shortAction(step: Step): string {
    const { verb, object } = parseAction(step.action);
    return `${verb} ${this.names.get(object) ?? object}`.trim();
  }

  lane(at: number): number {
    return this.laneOf.get(this.steps[at]!.thread)!;
  }

  /** The values that were read or written last, up to this step; the newest first. */
  values(at: number): { object: string; value: string; at: number; verb: string }[] {
    const seen = new Map<string, { object: string; value: string; at: number; verb: string }>();
    const oldest = Math.max(0, at - 2000);
    for (let i = at; i >= oldest && seen.size < 12; --i) {
      const step = this.steps[i]!;
      const { verb, object } = parseAction(step.action);
      if (step.value.startsWith('= ') && object !== '' && !seen.has(object))
        seen.set(object, { object, value: step.value.slice(2), at: i, verb });
    }
    return [...seen.values()];
  }
}
