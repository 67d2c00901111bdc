import { type RefObject, useEffect } from 'react';

/**
 * Keeps one option of the list chosen, so that Enter always opens one: the first whenever the words have changed, and
 * when the chosen one has gone. The list itself loses its choice when several options go at once.
 */
export function useFirstOption(list: RefObject<HTMLElement | null>, words: string): void {
  // External system: the list, whose choice is moved by keys.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words, another first
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const first = () => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));
    first();
    const observer = new MutationObserver(() => {
      if (!element.querySelector('[role="option"][aria-selected="true"]')) first();
    });
    observer.observe(element, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [list, words]);
}
