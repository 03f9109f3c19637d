import { render } from 'preact';
import { useState } from 'preact/hooks';
import { parseReport } from './data';
import type { Report } from './report';

/** The page without a report in it: shows the JSON of one from a file. */
export function OpenFile({ onReport }: { onReport: (report: Report) => void }) {
  const [error, setError] = useState('');
  const read = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (!file) return;
    try {
      const report = parseReport(await file.text());
      render(null, document.getElementById('app')!);
      onReport(report);
    } catch (problem) {
      setError(String(problem));
    }
  };
  return (
    <main class="open-file">
      <h1>heddle report</h1>
      <label>
        A report that <code>--format=json</code> has written:{' '}
        <input type="file" accept=".json" onChange={(event) => void read(event.currentTarget)} />
      </label>
      {error && <p role="alert">{error}</p>}
    </main>
  );
}
