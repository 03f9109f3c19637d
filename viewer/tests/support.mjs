// What the tests of the page share: a browser, pages with a report in them, large reports.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const here = import.meta.dirname;
export const viewerPage = process.env.HEDDLE_VIEWER_PAGE ?? join(here, '../dist/viewer.html');
export const work = mkdtempSync(join(tmpdir(), 'heddle-viewer-'));

export async function startBrowser() {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (!executablePath) throw new Error('no Chromium: install the package chromium');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--force-color-profile=srgb', '--font-render-hinting=none'],
  });
}

export function savedReport(name) {
  return JSON.parse(readFileSync(join(here, 'reports', `${name}.json`), 'utf8'));
}

/** The page as the reporter of heddle makes it. */
export function pageWith(report, name) {
  const data = deflateSync(JSON.stringify(report)).toString('base64');
  const file = join(work, `${name}.html`);
  writeFileSync(file, readFileSync(viewerPage, 'utf8').replace('HEDDLE-REPORT-DATA', data));
  return file;
}

/** Opens a page; what it logs, and errors in it, fail the test. */
export async function open(browser, file, hash = '', options = {}) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...options });
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('console', (message) => page.problems.push(message.text()));
  page.on('request', (request) => {
    if (!/^(file|blob|data):/.test(request.url())) page.problems.push(`fetches ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href + hash);
  await page.waitForSelector('h1');
  return page;
}

/** The page draws a moment after it was told to. */
export async function becomes(read, expected) {
  const end = Date.now() + 5000;
  let value = await read();
  while (value !== expected && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    value = await read();
  }
  assert.equal(value, expected);
}

const place = (file, line) => ({ file, line, column: 3, function: `work<${line}>()` });

export function emptyReport() {
  return {
    heddle: '0', format: 2, command: 'check', program: './prog', arguments: [], seconds: 1, runs: 10, judging_runs: 0,
    findings: [], summary: [], warnings: [], not_seen: [],
  };
}

export function manyFindings(count) {
  const kinds = ['data-race', 'deadlock', 'atomicity-violation', 'crash'];
  const statuses = ['potential', 'confirmed', 'harmful'];
  const report = emptyReport();
  for (let i = 0; i < count; ++i) {
    const file = `src/part${i % 50}/file${i % 200}.cpp`;
    const site = (thread) => ({
      ...place(file, 10 + (i % 300)), access: 'write', object: `Class${i % 400}::member${i % 7}`, thread, size: 4,
      linkage_name: 'x', ordinal: 0, stack: [place(file, 10), place(file, 20), place(file, 30)],
    });
    report.findings.push({
      id: `H-${i.toString(16).padStart(12, '0')}`, kind: kinds[i % 4], status: statuses[i % 3],
      message: `something goes wrong with Class${i % 400}::member${i % 7}, number ${i}`,
      sites: [site(1), site(2)], failure: null, probability: null, schedule: '', replay: '', strategy: 'pct', seed: i, run: i,
      trace_digest: '0', notes: [], threads: [], steps: [], output: '',
    });
  }
  return report;
}

export function longFinding(count) {
  const report = manyFindings(1);
  const finding = report.findings[0];
  finding.kind = 'data-race';
  for (let i = 0; i < count; ++i) {
    const thread = Math.floor(i / 7) % 6;
    const actions = ['lock Queue::mutex_', 'read Queue::size_', 'write Queue::size_', 'unlock Queue::mutex_',
      'atomic update hits', 'signal Queue::ready_', 'read Queue::head_'];
    finding.steps.push({
      index: i * 3, thread, ...place('src/queue.cpp', 10 + (i % 40)), action: actions[i % 7],
      value: i % 7 === 1 || i % 7 === 2 ? `= ${i}` : '', switched: i % 7 === 0 && i % 3 === 0,
    });
  }
  finding.decisive_step = Math.floor(count / 2 / 21) * 21;
  return report;
}

/** Runs heddle on a program of the corpus: the page and the JSON of the same store. */
export function corpusReport(program, { command = 'check', format = 'html' } = {}) {
  const { HEDDLE_BIN: bin, HEDDLE_CORPUS: corpus } = process.env;
  const source = join(corpus, program);
  const folder = join(work, program.replace(/\W/g, '_'));
  const binary = join(folder, 'program');
  if (!existsSync(binary)) {
    mkdirSync(folder, { recursive: true });
    execFileSync(join(bin, 'heddle-c++'), ['-g', '-O1', source, '-o', binary, '-pthread'], { stdio: 'pipe' });
  }
  const run = (...argv) => {
    try {
      execFileSync(join(bin, 'heddle'), argv, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      if (error.status !== 2) throw error; // 2: something was found
    }
  };
  const file = join(folder, `${command}.${format}`);
  run(command, `--format=${format}`, '-o', file, command === 'report' ? '--store=.heddle' : './program');
  return file;
}
