import { useState } from 'preact/hooks';

/** For pages that were opened from a file in browsers that keep the clipboard from them. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [done, setDone] = useState('');
  const copy = async () => {
    let copied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copied = copyBySelection(text);
    }
    setDone(copied ? 'copied' : 'select and copy it');
    setTimeout(() => setDone(''), 2000);
  };
  return (
    <button type="button" class="copy" aria-label={`Copy: ${label}`} onClick={() => void copy()}>
      <span aria-live="polite">{done || 'copy'}</span>
    </button>
  );
}
