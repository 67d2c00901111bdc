import { useRef } from 'react';

/**
 * Gives the focus back to where it was before an overlay opened: Radix does so only for an overlay that has a trigger
 * of its own. Call `remember` while the overlay opens.
 * @param to another place: one that an entry of a menu opened comes from what is gone by then
 */
export function useFocusReturn(to?: () => HTMLElement | null): {
  remember: () => void;
  giveBack: (event: Event) => void;
} {
  const before = useRef<Element | null>(null);
  return {
    remember: () => {
      before.current = document.activeElement;
    },
    giveBack: (event) => {
      event.preventDefault();
      const place = to?.() ?? before.current;
      if (place instanceof HTMLElement) place.focus({ preventScroll: true });
    },
  };
}
