// The page in a browser, on saved reports: every view, keyboard, hostile text, accessibility, looks.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { compareScreenshot } from './compare.mjs';
import { becomes, emptyReport, open, pageWith, savedReport, startBrowser, viewerPage, work } from './support.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(async () => { await browser?.close(); });

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious problems that axe-core finds, as text. */
async function accessibilityProblems(page) {
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => (await globalThis.axe.run()).violations);
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html + ' ' + (node.any[0]?.message ?? '')).join(' | ')}`);
}

/** A report that has every optional part. */
function fullReport() {
  const report = savedReport('counter');
  report.stages = savedReport('analysis').stages;
  const site = (line, access) => ({ file: report.sources[0].file, line, column: 3, function: 'handleRequest', access, object: 'metrics.bytes' });
  report.coverage = {
    sites: [site(16, 'read'), site(16, 'write'), site(17, 'read'), site(30, 'read')],
    pairs: [{ first: 0, second: 1, runs: 4 }, { first: 1, second: 0, runs: 2 }, { first: 2, second: 0, runs: 1 }],
    unreached: [site(29, 'read')],
  };
  report.history = [{ runs: 1, behaviours: 1, findings: 0 }, { runs: 50, behaviours: 20, findings: 1 }, { runs: 100, behaviours: 24, findings: 2 }];
  report.commands_run = [{ command: 'check', program: './counter', started: '2025-01-31T11:00:00Z', seconds: 2, runs: 100, findings: 2 }];
  report.not_seen = ['libexample.so: not instrumented'];
  return report;
}

test('the summary shows what was done and what was not', async () => {
  const page = await open(browser, pageWith(fullReport(), 'summary'), '#summary');
  const text = await page.innerText('main');
  for (const part of ['2 findings', './counter', '2025-01-31 12:00:00 UTC', 'data race', 'without a common lock', 'What was interleaved with what',
    'Never reached', '24 in the end', 'libexample.so', 'Commands so far'])
    assert.ok(text.includes(part), `${part} is not in the summary`);
  assert.equal(await page.locator('.matrix tbody tr').count(), 3);
  assert.equal(await page.locator('.matrix td.both').count(), 1); // line 16 with itself
  assert.equal(await page.locator('.matrix td.one').count(), 2);
  await page.getByRole('button', { name: /harmful data race/ }).click();
  await page.waitForSelector('.list');
  await becomes(() => page.locator('.row').count(), 2);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('findings are filtered, sorted, moved through and opened', async () => {
  const report = savedReport('counter');
  report.findings.push(savedReport('philosophers').findings[0], savedReport('bank').findings[0]);
  const page = await open(browser, pageWith(report, 'list'));
  await becomes(() => page.locator('.row').count(), 4);
  await page.getByLabel(/^Kind/).selectOption('deadlock');
  await becomes(() => page.locator('.row').count(), 1);
  await page.getByLabel(/^Kind/).selectOption('');
  await page.getByLabel(/^Status/).selectOption('harmful');
  await becomes(() => page.locator('.row').count(), 3);
  await page.getByLabel(/^Status/).selectOption('');
  await page.getByLabel(/^File/).selectOption('philosophers_bug.cpp');
  await becomes(() => page.locator('.row').count(), 1);
  await page.getByLabel(/^File/).selectOption('');
  await page.getByLabel(/^Sort by/).selectOption('id');
  await page.waitForFunction(() => document.querySelector('.row').dataset.link.startsWith('H-0'));
  const ids = await page.locator('.row').evaluateAll((rows) => rows.map((row) => row.dataset.link));
  assert.deepEqual(ids, [...ids].sort());
  await page.keyboard.press('Escape');
  await page.locator('h1').click();
  await page.keyboard.press('/');
  await page.keyboard.type('forks');
  await becomes(() => page.locator('.row').count(), 1);
  await page.getByLabel(/^Search/).fill('');
  await page.keyboard.press('Escape');
  await becomes(() => page.locator('.row').count(), 4);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.waitForSelector(`.row.current[data-link="${ids[1]}"]`);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.finding');
  assert.equal(new URL(page.url()).hash, `#${ids[1]}`);
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('a link may name the beginning of an id', async () => {
  const report = savedReport('counter');
  const page = await open(browser, pageWith(report, 'link'), '#' + report.findings[1].id.slice(0, 6).toUpperCase());
  assert.ok((await page.innerText('main')).includes(report.findings[1].id));
  await page.evaluate(() => { location.hash = '#H-ffffffffffff'; });
  await page.waitForSelector('[role=alert]');
  await page.close();
});

test('an atomicity violation: sentence, lanes, locks, source, pattern, commands', async () => {
  const page = await open(browser, pageWith(savedReport('bank'), 'bank'), '#H-70d6ddf59793');
  assert.match(await page.innerText('h1'), /^dispense reads `balance_` of Account and writes it later/);
  assert.match(await page.innerText('.effect'), /Assertion `balance_ >= 0' failed/);
  assert.deepEqual(await page.locator('.lane-titles span').allInnerTexts(), ['step', 'T0 main', 'T1', 'T2', 'at']);
  assert.equal(await page.locator('.step').count(), 22);
  assert.equal(await page.locator('rect.held').count(), 4);
  assert.equal(await page.locator('rect.blocked').count(), 1);
  assert.equal(await page.locator('path.arrow.create').count(), 2);
  assert.equal(await page.locator('path.arrow.switch').count(), 3);
  assert.equal(await page.locator('path.arrow.conflict').count(), 2);
  assert.deepEqual(await page.locator('.step.conflict').evaluateAll((rows) => rows.map((row) => row.querySelector('.words').textContent)),
    ['read balance_', 'write balance_', 'write balance_']);
  assert.match(await page.innerText('.end'), /assertion/);
  assert.ok((await page.locator('.panel .marked').count()) >= 4);
  assert.match(await page.locator('.panel').first().innerText(), /what belongs together, in dispense/);
  assert.equal(await page.locator('.pattern svg g.box').count(), 3);
  const commands = await page.locator('.commands code').allInnerTexts();
  assert.deepEqual(commands.slice(0, 3), ['heddle replay H-70d6ddf59793', 'heddle replay H-70d6ddf59793 -- gdb', 'heddle minimize H-70d6ddf59793']);
  assert.ok((await page.innerText('main')).includes('main::$_0::operator()'));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('steps go forward and back, to switches and to the decisive one', async () => {
  const page = await open(browser, pageWith(savedReport('bank'), 'steps'), '#H-70d6ddf59793');
  const current = () => page.locator('.step.current .index').innerText();
  const press = (name) => page.getByRole('button', { name, exact: true }).click();
  await becomes(current, '◆ 35'); // it opens where it matters
  assert.match(await page.innerText('.inspector'), /T1 is interrupted after/);
  await press('forward ▶');
  await becomes(current, '38');
  await press('◀ back');
  await press('« switch');
  await becomes(current, '» 25');
  await press('last');
  await becomes(current, '62');
  assert.match(await page.innerText('.inspector'), /Here it breaks/);
  assert.match(await page.innerText('.inspector'), /balance_\s*-40/);
  assert.match(await page.innerText('.inspector'), /holds Account::mutex_/);
  await press('◆ the switch that matters');
  await becomes(current, '◆ 35');
  await page.locator('.lanes').focus();
  await page.keyboard.press('Home');
  await becomes(current, '3');
  await page.keyboard.press('ArrowDown');
  await becomes(current, '14');
  await page.locator('.step').nth(5).click();
  await becomes(current, '32');
  await page.close();
});

test('a deadlock shows who holds what and who waits', async () => {
  const page = await open(browser, pageWith(savedReport('philosophers'), 'deadlock'), '#H-6fb095d9c5be');
  assert.equal(await page.locator('rect.held').count(), 3);
  assert.equal(await page.locator('rect.blocked').count(), 4);
  assert.match(await page.innerText('.end'), /nobody can go on/);
  assert.match(await page.locator('.panels').first().innerText(), /T1 took Table::forks_/);
  await page.close();
});

test('a race shows its two orders, and a static one the ways to it', async () => {
  const page = await open(browser, pageWith(savedReport('counter'), 'race'), '#H-ba69c3046ac9');
  assert.equal(await page.locator('.orders .panel').count(), 2);
  assert.equal(await page.locator('path.arrow.conflict').count(), 1);
  await page.close();
  const analysis = savedReport('analysis');
  const other = await open(browser, pageWith(analysis, 'static'), `#${analysis.findings[0].id}`);
  assert.equal(await other.locator('.paths .node.access').count(), 2);
  assert.ok((await other.locator('.paths .node').count()) > 2);
  await other.close();
});

test('source that is missing or was changed is said', async () => {
  const report = savedReport('counter');
  report.sources = [{ file: report.sources[0].file, missing: true }];
  let page = await open(browser, pageWith(report, 'missing'), '#H-ba69c3046ac9');
  assert.match(await page.locator('.panels').first().innerText(), /metrics_counter_bug\.cpp was not there/);
  await page.close();
  const changed = savedReport('counter');
  changed.sources[0].changed = true;
  page = await open(browser, pageWith(changed, 'changed'), '#H-ba69c3046ac9');
  assert.match(await page.locator('.panels').first().innerText(), /changed after the program was built/);
  await page.close();
});

test('text of a program never becomes markup', async () => {
  const evil = '</script><img src=x onerror="globalThis.hit=1"><svg onload="globalThis.hit=2">';
  const spoil = (value) => typeof value === 'string' ? value + evil : Array.isArray(value) ? value.map(spoil) :
    value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, inner]) =>
      [key, ['id', 'kind', 'status', 'action', 'file', 'value'].includes(key) ? inner : spoil(inner)])) : value;
  const report = spoil(savedReport('bank'));
  report.source_root = '';
  report[`key${evil}`] = evil;
  report.findings[0].steps.forEach((step) => { step.action += evil; step.value += evil; });
  const page = await open(browser, pageWith(report, 'hostile'), '#H-70d6ddf59793');
  for (const hash of ['#H-70d6ddf59793', '#findings', '#summary']) {
    await page.evaluate((to) => { location.hash = to; }, hash);
    await page.waitForTimeout(100);
    assert.equal(await page.locator('img, [onerror], [onload]').count(), 0);
    assert.equal(await page.evaluate(() => globalThis.hit), undefined);
    assert.ok((await page.innerText('main')).includes('<img src=x onerror='));
  }
  assert.deepEqual(page.problems, []);
  await page.close();
});

test('characters that hide others are named', async () => {
  const report = savedReport('bank');
  report.findings[0].output = 'a\u202eb\u001b[2J';
  const page = await open(browser, pageWith(report, 'hidden'), '#H-70d6ddf59793');
  assert.equal(await page.innerText('.output'), 'a[U+202E]b␛[2J');
  await page.close();
});

test('a report without findings, and one that lost control', async () => {
  const page = await open(browser, pageWith({ ...emptyReport(), lost: 'the program <b>vanished</b>' }, 'nothing'));
  assert.equal(await page.innerText('h1'), 'Nothing was found');
  assert.match(await page.innerText('[role=alert]'), /<b>vanished<\/b>/);
  await page.close();
});

test('the empty page shows a report from a JSON file', async () => {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(viewerPage).href);
  const file = join(work, 'report.json');
  writeFileSync(file, JSON.stringify(savedReport('counter')));
  await page.setInputFiles('input[type=file]', file);
  await page.waitForSelector('.row');
  await becomes(() => page.locator('.row').count(), 2);
  await page.close();
});

test('nobody is shut out', async () => {
  const shown = pageWith(fullReport(), 'axe');
  const bank = pageWith(savedReport('bank'), 'axe-bank');
  const views = [[shown, '#summary', 'light'], [shown, '#findings', 'light'], [bank, '#H-70d6ddf59793', 'light'], [bank, '#H-70d6ddf59793', 'dark']];
  for (const [file, hash, colorScheme] of views) {
    const page = await open(browser, file, hash, { colorScheme });
    assert.deepEqual(await accessibilityProblems(page), [], `${hash} ${colorScheme}`);
    await page.close();
  }
});

test('printed, all steps are on the paper', async () => {
  const page = await open(browser, pageWith(savedReport('bank'), 'print'), '#H-70d6ddf59793');
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction(() => document.querySelectorAll('.step').length === 22);
  const box = await page.locator('.lanes').evaluate((element) => [element.scrollHeight, element.clientHeight]);
  assert.equal(box[0], box[1]);
  assert.equal(await page.locator('.controls').isVisible(), false);
  await page.close();
});

test('the views look as approved', async () => {
  const views = [
    ['summary', pageWith(fullReport(), 'look-summary'), '#summary', 'light'],
    ['findings', pageWith(fullReport(), 'look-findings'), '#findings', 'light'],
    ['violation', pageWith(savedReport('bank'), 'look-bank'), '#H-70d6ddf59793', 'light'],
    ['deadlock-dark', pageWith(savedReport('philosophers'), 'look-deadlock'), '#H-6fb095d9c5be', 'dark'],
    ['race', pageWith(savedReport('counter'), 'look-race'), '#H-ba69c3046ac9', 'light'],
    ['static-race', pageWith(savedReport('analysis'), 'look-static'), `#${savedReport('analysis').findings[0].id}`, 'light'],
  ];
  const differences = [];
  for (const [name, file, hash, colorScheme] of views) {
    const page = await open(browser, file, hash, { colorScheme, viewport: { width: 1360, height: 1100 } });
    const difference = await compareScreenshot(page, name);
    if (difference) differences.push(difference);
    await page.close();
  }
  assert.deepEqual(differences, []);
});
