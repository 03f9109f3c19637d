// The JSON of a report as docs/formats.md describes it. Keys that only some commands write are
// optional; the page shows what is there.

export interface Place {
  file: string;
  line: number;
  column: number;
  function: string;
}

export interface Site extends Place {
  access: string;
  object: string;
  thread: number;
  size: number;
  role?: string;
  stack: Place[];
  held?: string[];
}

export interface Step extends Place {
  index: number;
  thread: number;
  action: string;
  value: string;
  switched: boolean;
}

export interface Thread {
  index: number;
  path: string;
  name: string;
  state: string;
  parent: number;
  stack: Place[];
  created_at: Place[];
  held: string[];
}

export interface CallPath {
  thread: number;
  stack: Place[];
  held: string[];
}

export interface AtomicAccess extends Place {
  access: string;
  order: string;
  needs?: string;
}

export interface Related {
  id: string;
  status: string;
  pattern: number;
  message: string;
  sites: Site[];
}

export interface Finding {
  id: string;
  kind: string;
  status: string;
  message: string;
  sites: Site[];
  failure: { kind: string; message: string; site: Site | null } | null;
  probability: number | null;
  schedule: string;
  replay: string;
  orders?: { first_site: number; runs: number; failures: number }[];
  group?: string;
  paths?: { first: CallPath; second: CallPath }[];
  strategy?: string;
  seed?: number;
  run?: number;
  count?: number;
  test?: string;
  preemptions?: number;
  context_switches?: number;
  minimized_from?: { preemptions: number; context_switches: number };
  missing_order?: { object: string; store: AtomicAccess; load: AtomicAccess };
  pattern?: number;
  inferred?: boolean;
  related?: Related[];
  outcomes?: { observed: string; serial: string[] };
  notes?: string[];
  threads: Thread[];
  steps: Step[];
  output?: string;
  decisive_step?: number;
  commands?: Record<string, string>;
}

export interface SourceFile {
  file: string;
  missing?: boolean;
  changed?: boolean;
  lines?: number;
  parts?: { first: number; text: string[] }[];
}

export interface CoverageSite extends Place {
  access: string;
  object: string;
}

export interface Coverage {
  sites: CoverageSite[];
  /** Positions in `sites`, and in how many runs the first came right before the second. */
  pairs: { first: number; second: number; runs: number }[];
  unreached?: CoverageSite[];
}

export interface HistoryPoint {
  runs: number;
  seconds?: number;
  behaviours?: number;
  findings: number;
}

export interface CommandRecord {
  command: string;
  program: string;
  started: string;
  seconds: number;
  runs: number;
  findings: number;
}

export interface Report {
  heddle: string;
  format?: number;
  command: string;
  program: string;
  arguments: string[];
  seconds: number;
  runs: number;
  judging_runs?: number;
  findings: Finding[];
  summary: string[];
  warnings: string[];
  not_seen: string[];
  interrupted?: boolean;
  lost?: string;
  time?: string;
  source_root?: string;
  words?: {
    kinds: Record<string, { title: string; description: string; advice: string }>;
    statuses: Record<string, string>;
  };
  sources?: SourceFile[];
  stages?: Record<string, number>;
  candidates?: number;
  static_candidates?: number;
  static_only?: number;
  coverage?: Coverage;
  history?: HistoryPoint[];
  commands_run?: CommandRecord[];
  [key: string]: unknown;
}

/** Everything that is not shown in a place of its own. */
export function otherKeys(report: Report): string[] {
  const shown = new Set([
    'heddle', 'format', 'command', 'program', 'arguments', 'seconds', 'runs', 'judging_runs',
    'findings', 'summary', 'warnings', 'not_seen', 'interrupted', 'lost', 'time', 'source_root',
    'words', 'sources', 'stages', 'coverage', 'history', 'commands_run',
  ]);
  return Object.keys(report).filter((key) => !shown.has(key));
}
