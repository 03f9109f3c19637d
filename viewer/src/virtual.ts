import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

export interface Window {
  first: number;
  last: number; // one after the last row that is drawn
}

const kOverscan = 8;
const kMaxPrinted = 3000;

/** Paper does not scroll: all rows are drawn while the page is printed. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const query = matchMedia('print');
    const follow = () => setPrinting(query.matches);
    query.addEventListener('change', follow);
    follow();
    return () => query.removeEventListener('change', follow);
  }, []);
  return printing;
}

/** Which rows of a long list are in sight of the element that scrolls. */
export function useWindow(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number): Window {
  const [seen, setSeen] = useState<Window>({ first: 0, last: Math.min(count, 60) });
  const printing = usePrinting();
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const look = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - kOverscan);
      const height = element.clientHeight || 800;
      const last = Math.min(count, Math.ceil((element.scrollTop + height) / rowHeight) + kOverscan);
      setSeen((old) => (old.first === first && old.last === last ? old : { first, last }));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [scroller, count, rowHeight]);
  return printing ? { first: 0, last: Math.min(count, kMaxPrinted) } : { first: seen.first, last: Math.min(seen.last, count) };
}

/** Scrolls so that a row is in sight: a little when it is near, else into the middle. */
export function showRow(element: HTMLElement | null, row: number, rowHeight: number): void {
  if (!element) return;
  const margin = Math.min(3 * rowHeight, element.clientHeight / 4);
  const above = element.scrollTop + margin - row * rowHeight;
  const below = (row + 1) * rowHeight + margin - element.scrollTop - element.clientHeight;
  if (above <= 0 && below <= 0) return;
  if (Math.max(above, below) > 4 * rowHeight) element.scrollTop = row * rowHeight - element.clientHeight / 2;
  else element.scrollTop += above > 0 ? -above : below;
}
