import { useRef } from 'react';

/**
 * Gives the focus back to where it was before an overlay opened: Radix does so only for an overlay that has a trigger
 * of its own. Call `remember` while the overlay opens.
 */
export function useFocusReturn(): { remember: () => void; giveBack: (event: Event) => void } {
  const before = useRef<Element | null>(null);
  return {
    remember: () => {
      before.current = document.activeElement;
    },
    giveBack: (event) => {
      event.preventDefault();
      if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
    },
  };
}
