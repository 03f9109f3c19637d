// Large reports stay quick. The machine may be busy with other things, so that the best of a few
// tries counts: a page that is slow by itself is slow in all of them.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { longFinding, manyFindings, open, pageWith, startBrowser } from './support.mjs';

const kTries = 4;
let browser;
before(async () => { browser = await startBrowser(); });
after(async () => { await browser?.close(); });

async function best(measure, limit) {
  let least = Infinity;
  for (let i = 0; i < kTries && least > limit; ++i) least = Math.min(least, await measure());
  return least;
}

test('10,000 findings open in under 2 s', async () => {
  const file = pageWith(manyFindings(10_000), 'many');
  const seconds = await best(async () => {
    const page = await browser.newPage();
    const begin = performance.now();
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('.row');
    const took = (performance.now() - begin) / 1000;
    assert.ok((await page.locator('.row').count()) < 60); // only what is in sight is drawn
    await page.close();
    return took;
  }, 2);
  console.log(`10,000 findings: ${seconds.toFixed(2)} s`);
  assert.ok(seconds < 2, `${seconds} s`);
});

/** In the browser: the longest pause between two frames while `action` is done again and again. */
async function longestTask(page, action) {
  await page.evaluate(() => {
    globalThis.longest = 0;
    globalThis.observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, entry.duration);
    });
    globalThis.observer.observe({ type: 'longtask' });
  });
  await action();
  await page.waitForTimeout(60);
  return page.evaluate(() => { globalThis.observer.disconnect(); return globalThis.longest; });
}

test('100,000 steps scroll and step without pauses over 100 ms', async () => {
  const report = longFinding(100_000);
  const page = await open(browser, pageWith(report, 'long'), `#${report.findings[0].id}`);
  await page.waitForSelector('.step');
  const drawn = await page.locator('.step').count();
  assert.ok(drawn > 10 && drawn < 120, `${drawn} steps are drawn`);
  const scrolling = await best(() => longestTask(page, () => page.evaluate(async () => {
    const lanes = document.querySelector('.lanes');
    for (let i = 0; i < 40; ++i) {
      lanes.scrollTop = (i * 7919 % 40) / 40 * lanes.scrollHeight;
      await new Promise(requestAnimationFrame);
    }
  })), 100);
  const stepping = await best(() => longestTask(page, async () => {
    await page.locator('.lanes').focus();
    for (const key of ['Home', 'End', 'PageUp', 'ArrowUp', 'ArrowDown', 'Home', 'ArrowDown', 'ArrowDown', 'End'])
      await page.keyboard.press(key);
    await page.getByRole('button', { name: '« switch' }).click();
    await page.getByRole('button', { name: '◆ the switch that matters' }).click();
  }), 100);
  console.log(`100,000 steps: longest task ${scrolling} ms while scrolling, ${stepping} ms while stepping`);
  assert.ok(scrolling <= 100, `${scrolling} ms`);
  assert.ok(stepping <= 100, `${stepping} ms`);
  assert.match(await page.innerText('.step.current .index'), /◆/);
  assert.deepEqual(page.problems, []);
  await page.close();
});
