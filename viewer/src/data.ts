import type { Report } from './report';

const kPlace = 'HEDDLE-REPORT' + '-DATA'; // in two parts: the reporter replaces the whole word

function bytesOf(letters: string): Uint8Array<ArrayBuffer> {
  const binary = atob(letters);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The report that is in the page; null: the page is empty, as it was built. */
export async function embeddedReport(): Promise<Report | null> {
  const letters = document.getElementById('heddle-data')?.textContent?.trim() ?? '';
  if (letters === '' || letters === kPlace) return null;
  const packed = new Blob([bytesOf(letters)]);
  const stream = packed.stream().pipeThrough(new DecompressionStream('deflate'));
  return parseReport(await new Response(stream).text());
}

export function parseReport(text: string): Report {
  const report = JSON.parse(text) as Report;
  if (typeof report !== 'object' || report === null || !Array.isArray(report.findings))
    throw new Error('this is no report of heddle: it has no findings');
  return report;
}
