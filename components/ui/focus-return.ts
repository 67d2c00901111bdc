import { useRef } from 'react';

const reachable = ':is(a[href], button, [tabindex="0"]):not([tabindex="-1"])';

/**
 * Gives the focus back to where it was before an overlay opened: Radix does so only for an overlay that has a trigger
 * of its own. Where that is gone by then, as the row of a list that left it, to what is next to it. Call `remember` while
 * the overlay opens.
 * @param to another place: one that an entry of a menu opened comes from what is gone by then
 */
export function useFocusReturn(to?: () => HTMLElement | null): {
  remember: () => void;
  giveBack: (event: Event) => void;
} {
  /** What had the focus, and all that it was in, from the inside out. */
  const before = useRef<readonly Element[]>([]);
  return {
    remember: () => {
      const path: Element[] = [];
      for (let at = document.activeElement; at; at = at.parentElement) path.push(at);
      before.current = path;
    },
    giveBack: (event) => {
      event.preventDefault();
      const place = to?.() ?? placeOf(before.current);
      if (place instanceof HTMLElement) place.focus({ preventScroll: true });
    },
  };
}

function placeOf([own, ...around]: readonly Element[]): Element | null | undefined {
  if (own?.isConnected) return own;
  // The page has put it where the reader goes on.
  if (document.activeElement !== document.body) return undefined;
  const near = around.filter((element) => element.isConnected);
  return near.map((element) => element.querySelector(reachable)).find((element) => element !== null);
}
