'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useRef } from 'react';
import { isTaken } from '../common/shortcuts';
import { areas } from './navigation';

/** How long after `g` the second key counts, ms. */
const secondKeyWithin = 1_500;

/** ⌘K or Ctrl K anywhere; `g` and a letter, and `?`, while nobody types. Nothing here changes the cluster. */
export function useGlobalKeys({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }) {
  const router = useRouter();
  const goSince = useRef(Number.NEGATIVE_INFINITY);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      onPalette();
      return;
    }
    if (isTaken(event)) return;
    const going = event.timeStamp - goSince.current < secondKeyWithin;
    goSince.current = Number.NEGATIVE_INFINITY;
    const area = going ? areas.find(({ key }) => key === event.key) : undefined;
    if (area) {
      event.preventDefault();
      router.push(area.href);
    } else if (event.key === 'g') {
      goSince.current = event.timeStamp;
    } else if (event.key === '?') {
      event.preventDefault();
      onHelp();
    }
  });
  // External system: the keyboard of the whole page. Captured, so that the letter after `g` is not a list's.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener, true);
    return () => document.removeEventListener('keydown', listener, true);
  }, []);
}
