// Screenshots against approved ones. Fonts and browsers draw a little differently everywhere, so
// that blocks of pixels are compared by their mean colour, and few may differ.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const approved = process.env.HEDDLE_VIEWER_APPROVED ?? join(import.meta.dirname, 'approved');
const received = process.env.HEDDLE_VIEWER_RECEIVED ?? join(import.meta.dirname, 'received');
const kBlock = 12;
const kColour = 40; // of 255
const kShare = 0.04;

/** In the browser: the share of blocks that differ; 1 when the sizes do. */
async function differing([one, two, block, colour]) {
  const pixels = async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return { width: image.width, height: image.height, data: context.getImageData(0, 0, image.width, image.height).data };
  };
  const [a, b] = [await pixels(one), await pixels(two)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let count = 0;
  let different = 0;
  for (let y = 0; y + block <= a.height; y += block)
    for (let x = 0; x + block <= a.width; x += block) {
      const sums = [0, 0, 0];
      for (let dy = 0; dy < block; ++dy)
        for (let dx = 0; dx < block; ++dx)
          for (let c = 0; c < 3; ++c) {
            const at = ((y + dy) * a.width + x + dx) * 4 + c;
            sums[c] += a.data[at] - b.data[at];
          }
      ++count;
      if (sums.some((sum) => Math.abs(sum) / (block * block) > colour)) ++different;
    }
  return different / count;
}

/** Empty when the page looks as approved; else what to do. */
export async function compareScreenshot(page, name) {
  mkdirSync(received, { recursive: true });
  const shot = await page.screenshot();
  writeFileSync(join(received, `${name}.png`), shot);
  const file = join(approved, `${name}.png`);
  if (!existsSync(file)) return `${name}.png is not approved: look at ${join(received, `${name}.png`)}, then run viewer/tests/approve.sh`;
  const share = await page.evaluate(differing, [readFileSync(file).toString('base64'), shot.toString('base64'), kBlock, kColour]);
  return share <= kShare ? '' : `${name}.png: ${(100 * share).toFixed(1)}% of it differ from what is approved; look at ${received}, ` +
    'and if the change is meant run viewer/tests/approve.sh';
}
