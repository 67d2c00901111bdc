'use client';

import { type KeyboardEvent, type RefObject, useCallback, useEffect, useEffectEvent } from 'react';
import { isTaken } from '../common/shortcuts';

type Keys = {
  container: RefObject<HTMLElement | null>;
  count: number;
  /** Index of the active row, -1 for none. */
  active: number;
  pageSize: () => number;
  /** Makes a row active, brings it into view and gives it the focus. */
  go: (index: number) => void;
  toggle: ((index: number) => void) | undefined;
  open: ((index: number) => void) | undefined;
  openPage: (index: number) => void;
  /** Only when the focus is in the list. */
  quiet: boolean;
};

function target(key: string, active: number, count: number, page: number): number | undefined {
  const last = count - 1;
  const steps: Record<string, number> = {
    j: active + 1,
    ArrowDown: active + 1,
    k: active < 0 ? 0 : active - 1,
    ArrowUp: active < 0 ? 0 : active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: last,
  };
  const to = steps[key];
  return to === undefined || count === 0 ? undefined : Math.min(last, Math.max(0, to));
}

/**
 * Keys of a list. `j`, `k` and `x` work wherever nothing else takes them, unless it is `quiet`; arrows, Home, End, Space
 * and Enter when the focus is in the list.
 */
export function useTableKeys({ container, count, active, pageSize, go, toggle, open, openPage, quiet }: Keys) {
  const onPageKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (quiet || isTaken(event) || container.current?.contains(document.activeElement)) return;
    if (event.key === 'j' || event.key === 'k') {
      const to = target(event.key, active, count, 1);
      if (to !== undefined) go(to);
    } else if (event.key === 'x' && active >= 0) {
      toggle?.(active);
    }
  });
  // External system: the keyboard of the whole page.
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => onPageKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);

  return useCallback(
    (event: KeyboardEvent<HTMLElement>) => {
      const { key } = event;
      const onRow = event.target instanceof HTMLElement && event.target.matches('tr[data-row-id]');
      if (key === 'Enter' && onRow && active >= 0) {
        event.preventDefault();
        if (open && !event.ctrlKey && !event.metaKey) open(active);
        else openPage(active);
        return;
      }
      if (isTaken(event.nativeEvent) || event.shiftKey) return;
      if ((key === 'x' || (key === ' ' && onRow)) && toggle && active >= 0) {
        event.preventDefault();
        toggle(active);
        return;
      }
      const to = target(key, active, count, pageSize());
      if (to === undefined) return;
      event.preventDefault();
      go(to);
    },
    [active, count, go, open, openPage, pageSize, toggle],
  );
}
