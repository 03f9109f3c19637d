import type { Finding, Place, Report, Thread } from './report';

/** Characters that change how other characters are shown, or show nothing: named instead. */
const kHidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

function nameOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Text of a program as one may look at it. */
export function visible(text: string): string {
  return text.replace(kHidden, nameOf);
}

/** `/usr/lib/gcc/../../include` as `/usr/include`. */
function withoutDetours(file: string): string {
  const parts: string[] = [];
  for (const part of file.split('/'))
    if (part === '..' && parts.length > 1) parts.pop();
    else parts.push(part);
  return parts.join('/');
}

/** Shortens what lies below the folder in which the command ran. */
export class Paths {
  private readonly folder: string;

  constructor(report: Report) {
    const root = report.source_root ?? '';
    this.folder = root === '' || root === '/' ? '' : root.replace(/\/$/, '') + '/';
    this.common = this.folder === '' ? '' : this.commonFolder(report);
  }

  /** Where the files lie when the command ran somewhere else; empty: nothing in common. */
  private readonly common: string;

  private commonFolder(report: Report): string {
    const files = (report.sources ?? []).map((source) => source.file)
      .filter((file) => file.startsWith('/') && !file.startsWith('/usr/'));
    if (files.length === 0 || files.some((file) => file.startsWith(this.folder))) return '';
    let folder = files[0]!.slice(0, files[0]!.lastIndexOf('/') + 1);
    while (folder.length > 1 && !files.every((file) => file.startsWith(folder)))
      folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
    return folder.length > 1 ? folder : '';
  }

  file(file: string): string {
    for (const folder of [this.folder, this.common])
      if (folder !== '' && file.startsWith(folder)) return file.slice(folder.length);
    return withoutDetours(file);
  }

  place(place: Place): string {
    if (place.file === '') return '';
    const column = place.column ? `:${place.column}` : '';
    return this.file(place.file) + (place.line ? `:${place.line}${column}` : '');
  }

  /** The same inside of a sentence. */
  text(text: string): string {
    let short = text;
    for (const folder of [this.folder, this.common])
      if (folder !== '') short = short.split(folder).join('');
    return visible(short);
  }
}

export function threadName(thread: number, threads: Thread[]): string {
  const name = threads.find((info) => info.index === thread)?.name;
  return `T${thread}` + (name ? ` ${visible(name)}` : thread === 0 ? ' main' : '');
}

/** The sentence of a finding in two: what is wrong, and what follows from it. */
export function sentence(finding: Finding, paths: Paths): { cause: string; effect: string } {
  const [cause = '', ...rest] = finding.message.split('; it leads to: ');
  return { cause: paths.text(cause), effect: paths.text(rest.join('; it leads to: ')) };
}

export function titleOf(report: Report, kind: string): string {
  return report.words?.kinds[kind]?.title ?? kind.replace(/-/g, ' ');
}

/** Where a finding is listed: what has to change. */
export function primaryPlace(finding: Finding): Place | null {
  const isRace = finding.kind === 'data-race' || finding.kind === 'atomicity-violation';
  const failing = finding.failure?.site;
  if (!isRace && failing && failing.file !== '') return failing;
  return finding.sites.find((site) => site.file !== '') ??
    finding.threads.flatMap((thread) => thread.stack).find((frame) => frame.file !== '') ?? null;
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
