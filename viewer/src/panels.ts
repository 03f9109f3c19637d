// Which places of the source a finding is about, for panels side by side.
import type { Finding, Place, Site } from './report';
import type { Mark } from './source';
import { threadName, visible } from './text';

export interface Panel {
  title: string;
  place: Place;
  held: string[];
  marks: Mark[];
}

const isLibrary = (place: Place): boolean => place.file === '' || place.file.startsWith('/usr/');

export function siteTitle(site: Site, finding: Finding): string {
  const object = site.object ? ` ${visible(site.object)}` : '';
  if (site.role) return `memory ${site.role} by ${threadName(site.thread, finding.threads)}`;
  const failing = finding.failure?.site;
  const breaks = site.access === 'call' && failing?.file === site.file && failing.line === site.line;
  return `${threadName(site.thread, finding.threads)}: ${breaks ? 'breaks here' : site.access + object}`;
}

/** Of a site in a library: the first frame of the program's own code. */
function shownPlace(site: Site): Place {
  return isLibrary(site) ? site.stack.find((frame) => !isLibrary(frame)) ?? site : site;
}

function markLabel(site: Site, at: number, finding: Finding): string {
  if (site.access === 'call') return siteTitle(site, finding);
  return `${at + 1} · T${site.thread} ${site.access || site.role || ''}`;
}

function sitePanels(finding: Finding): Panel[] {
  const panels: Panel[] = [];
  finding.sites.forEach((site, i) => {
    const place = shownPlace(site);
    if (place.file === '') return;
    const mark = { line: place.line, label: markLabel(site, i, finding), style: `site-${i % 4}` };
    const title = `${i + 1}. ${siteTitle(site, finding)}`;
    const same = panels.find((panel) => panel.place.file === place.file && panel.place.line === place.line);
    if (same) {
      same.title += ` — ${title}`;
      same.marks.push(mark);
    } else {
      panels.push({ title, place, held: site.held ?? [], marks: [mark] });
    }
  });
  return panels;
}

/**
 * Of an atomicity violation: the function that makes both accesses which belong together, through
 * functions that it calls. That is where the missing protection belongs.
 */
function unitPanel(finding: Finding): Panel | null {
  if (finding.kind !== 'atomicity-violation') return null;
  const own = finding.sites.filter((site) => site.thread === finding.sites[0]!.thread);
  const [first, last] = [own[0], own[own.length - 1]];
  if (!first || !last || first === last || first.function === last.function) return null;
  for (const frame of first.stack) {
    const other = last.stack.find((candidate) => candidate.function === frame.function && candidate.file === frame.file);
    if (!other || isLibrary(frame) || frame.line === other.line) continue;
    const name = (site: Site) => `${finding.sites.indexOf(site) + 1} · T${site.thread} ${site.access}, in here`;
    return {
      title: `${threadName(first.thread, finding.threads)}: what belongs together, in ${visible(frame.function)}`,
      place: frame, held: [],
      marks: [{ line: frame.line, label: name(first), style: 'site-0' }, { line: other.line, label: name(last), style: `site-${finding.sites.indexOf(last) % 4}` }],
    };
  }
  return null;
}

function failurePanel(finding: Finding): Panel | null {
  const failing = finding.failure?.site;
  const isOwn = finding.sites.some((site) => failing && site.file === failing.file && site.line === failing.line);
  if (!failing || isOwn) return null;
  const place = shownPlace(failing);
  if (place.file === '') return null;
  return { title: 'Where it breaks', place, held: [], marks: [{ line: place.line, label: 'breaks here', style: 'failure' }] };
}

/** Where no site is known: the places at which threads wait. */
function waitingPanels(finding: Finding): Panel[] {
  return finding.threads.filter((thread) => thread.state.startsWith('blocked')).flatMap((thread, i) => {
    const place = thread.stack.find((frame) => !isLibrary(frame));
    if (!place) return [];
    const mark = { line: place.line, label: `T${thread.index} waits`, style: `site-${i % 4}` };
    return [{ title: `${threadName(thread.index, finding.threads)} waits`, place, held: thread.held, marks: [mark] }];
  });
}

/** Where the threads of a deadlock took what they hold: half of the story. */
function takenMarks(finding: Finding): { file: string; mark: Mark }[] {
  if (finding.kind !== 'deadlock') return [];
  return finding.threads.flatMap((thread) => thread.held.flatMap((lock) => {
    const [, name, file, line] = /^(.*) \(taken at (.*):(\d+)\)$/.exec(lock) ?? [];
    if (!name || !file) return [];
    return [{ file, mark: { line: Number(line), label: `T${thread.index} took ${visible(name)}`, style: 'taken' } }];
  }));
}

function addTaken(panels: Panel[], finding: Finding): Panel[] {
  for (const { file, mark } of takenMarks(finding))
    for (const panel of panels) if (panel.place.file === file) panel.marks.push(mark);
  return panels;
}

export function panelsOf(finding: Finding): Panel[] {
  const panels = [unitPanel(finding), ...sitePanels(finding), failurePanel(finding)].filter((panel) => panel !== null);
  return addTaken(panels.length > 0 ? panels : waitingPanels(finding), finding);
}
