'use client';

import { useSyncExternalStore } from 'react';

const query = '(max-width: 760px)';

function subscribe(listener: () => void) {
  const media = matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** The width of a telephone: columns have to give way, not only be hidden. False while rendering on the server. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}
