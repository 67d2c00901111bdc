'use client';

import { type RefObject, useLayoutEffect, useState } from 'react';
import { usePreferences } from '@/lib/i18n';

const fallback = { row: 32, head: 30 };

/** Heights in px that the tokens give rows and heads here and now: density, pointer and media decide. */
export function useRowHeight(element: RefObject<HTMLElement | null>, twoLines: boolean) {
  const { density } = usePreferences();
  const [heights, setHeights] = useState(fallback);
  // External system: the style sheet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: density changes the tokens that are read here
  useLayoutEffect(() => {
    const coarse = matchMedia('(pointer: coarse)');
    const measure = () => {
      if (!element.current) return;
      const style = getComputedStyle(element.current);
      const px = (token: string, otherwise: number) => Number.parseFloat(style.getPropertyValue(token)) || otherwise;
      const next = { row: px(twoLines ? '--row-2' : '--row', fallback.row), head: px('--head-row', fallback.head) };
      setHeights((was) => (was.row === next.row && was.head === next.head ? was : next));
    };
    measure();
    coarse.addEventListener('change', measure);
    return () => coarse.removeEventListener('change', measure);
  }, [density, element, twoLines]);
  return heights;
}
