// From a program of the corpus to its page, through the command as a user gives it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { corpusReport, open, pageWith, startBrowser } from './support.mjs';

const skip = process.env.HEDDLE_BIN ? false : 'HEDDLE_BIN and HEDDLE_CORPUS are not set';
let browser;
before(async () => { browser = await startBrowser(); });
after(async () => { await browser?.close(); });

const programs = [
  ['engine/philosophers_bug.cpp', 'deadlock', 'second(right)'],
  ['engine/metrics_counter_bug.cpp', 'data-race', 'metrics.'],
  ['engine/bank_overdraft_bug.cpp', 'atomicity-violation', 'account.withdraw'],
];

for (const [program, kind, line] of programs)
  test(`${program} has a page that tells its bug`, { skip }, async () => {
    const file = corpusReport(program);
    const list = await open(browser, file);
    await list.waitForSelector('.row');
    await list.getByLabel(/^Kind/).selectOption(kind);
    await list.locator('.row a').first().click();
    await list.waitForSelector('.step');
    const marked = (await list.locator('.panels .marked').allInnerTexts()).join('\n');
    assert.ok(marked.includes(line), `${line} is not marked: ${marked}`);
    assert.ok((await list.locator('.step.decisive').count()) === 1);
    assert.deepEqual(list.problems, []);
    await list.close();
  });

test('the page of the JSON alone is the same as the page', { skip }, async () => {
  const program = 'engine/metrics_counter_bug.cpp';
  const fromHeddle = await open(browser, corpusReport(program, { command: 'report', format: 'html' }), '#summary');
  const json = JSON.parse(readFileSync(corpusReport(program, { command: 'report', format: 'json' }), 'utf8'));
  assert.ok(json.findings.length > 0 && json.sources.length > 0 && json.commands_run.length > 0);
  const fromJson = await open(browser, pageWith(json, 'from-json'), '#summary');
  const texts = [];
  for (const page of [fromHeddle, fromJson])
    for (const hash of ['#summary', `#${json.findings[0].id}`]) {
      await page.evaluate((to) => { location.hash = to; }, hash);
      await page.waitForTimeout(100);
      texts.push((await page.innerText('main')).replace(/\d{4}-\d\d-\d\d [\d:]+ UTC/, 'TIME'));
    }
  assert.deepEqual(texts.slice(0, 2), texts.slice(2));
});
