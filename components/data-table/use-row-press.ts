'use client';

import type { MouseEvent } from 'react';

/** What has its own press inside a row. */
const ownPress = 'a, button, input, label, [role="checkbox"]';

/**
 * A press on a row: plain opens it beside the list (or its page, where the list has no such place); with a
 * modifier or the middle button it opens the page in a new tab. On the name, which is a real link, the browser
 * does the latter itself.
 */
export function useRowPress({
  indexOf,
  activate,
  open,
  openPage,
}: {
  indexOf: (id: string) => number;
  activate: (id: string) => void;
  open: ((index: number) => void) | undefined;
  openPage: (index: number, newTab: boolean) => void;
}): (event: MouseEvent) => void {
  return (event) => {
    if (!(event.target instanceof Element)) return;
    const id = event.target.closest('tr[data-row-id]')?.getAttribute('data-row-id');
    const index = id ? indexOf(id) : -1;
    if (!id || index < 0) return;
    activate(id);
    const link = event.target.closest('a[data-row-link]');
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (link ? elsewhere || !open : event.target.closest(ownPress)) return;
    // The end of marking text to copy is no press.
    if (window.getSelection()?.type === 'Range' && !link) return;
    // Before the link's own handler, which navigates.
    event.preventDefault();
    if (elsewhere) openPage(index, true);
    else if (open) open(index);
    else openPage(index, false);
  };
}
