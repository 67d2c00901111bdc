'use client';

import { useEffect, useEffectEvent } from 'react';

/** True when a key press belongs to something else: typing, an open overlay or menu, a combination. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest('input, textarea, select, [contenteditable="true"]')) return true;
  return target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null;
}

/** Runs on a single key while nothing else wants it. Never for anything that destroys. */
export function useShortcut(key: string, run: (event: KeyboardEvent) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== key || isTaken(event)) return;
    event.preventDefault();
    run(event);
  });
  // External system: the keyboard of the whole page.
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
