'use client';

import { useSyncExternalStore } from 'react';

let text = '';
const listeners = new Set<() => void>();

/** Says something once to screen readers, without moving the focus. */
export function announce(message: string): void {
  // The same words twice are two announcements: an invisible difference makes readers speak again.
  text = message === text ? `${message}\u200b` : message;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The one place where {@link announce} is heard. Mounted once, in the root layout. */
export function Announcer() {
  const said = useSyncExternalStore(
    subscribe,
    () => text,
    () => '',
  );
  return (
    <div className="vh" aria-live="polite" data-testid="announcer">
      {said}
    </div>
  );
}
