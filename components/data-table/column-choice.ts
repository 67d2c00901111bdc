'use client';

import { useCallback, useSyncExternalStore } from 'react';

type Choice = Readonly<Record<string, boolean>>;

const none: Choice = {};
const cache = new Map<string, { raw: string | null; choice: Choice }>();
const listeners = new Set<() => void>();

function read(key: string): Choice {
  let raw: string | null = null;
  try {
    raw = localStorage.getItem(key);
  } catch {
    return none;
  }
  const known = cache.get(key);
  if (known && known.raw === raw) return known.choice;
  const choice = parse(raw);
  cache.set(key, { raw, choice });
  return choice;
}

function parse(raw: string | null): Choice {
  if (!raw) return none;
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value !== 'object' || value === null) return none;
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
    );
  } catch {
    return none;
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Columns a person switched on or off in a table, kept in this browser. Undefined resets. */
export function useColumnChoice(table: string): [Choice, (next: Choice | undefined) => void] {
  const key = `columns:${table}`;
  const choice = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => none,
  );
  const choose = useCallback(
    (next: Choice | undefined) => {
      try {
        if (next) localStorage.setItem(key, JSON.stringify(next));
        else localStorage.removeItem(key);
      } catch {
        // A browser without storage still shows what fits.
      }
      for (const listener of listeners) listener();
    },
    [key],
  );
  return [choice, choose];
}
