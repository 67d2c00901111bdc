'use client';

import { useCallback, useState } from 'react';
import { useListState } from '@/components/common';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Cohort } from '@/lib/domain/cohorts';
import { parsePeek } from '../sandboxes/search-params';
import { useKeptRow } from '../sandboxes/use-kept-row';
import type { useStuck } from './use-stuck';

const none: readonly SandboxRow[] = [];

/**
 * The cohort and the member that are looked at: those of the address, else the worst. While a pointer or the focus is in the
 * page's lists or the explanation they are not exchanged because others became worse.
 */
export function useChosen({ cohorts, search, setPeek, linked }: ReturnType<typeof useStuck>) {
  const asked = parsePeek(search.peek);
  // Of a link to what is over nothing else is explained in its place.
  const wanted =
    cohorts.find(({ key }) => key === search.cohort) ??
    (asked && cohorts.find((cohort) => holds(cohort, asked))) ??
    (linked.isMissing ? undefined : cohorts[0]);
  const [hold, setHold] = useState(false);
  const [held, setHeld] = useState<{ key: string; first: { ns: string; name: string } }>();
  const cohort = (!search.cohort && held && cohorts.find(({ key }) => key === held.key)) || wanted;

  const [order, keepOrder] = useState<Order>();
  // Lists are sorted every second: the page is drawn anew only when the order is another.
  const setOrder = useCallback((next: Order) => keepOrder((was) => (was && isSame(was, next) ? was : next)), []);
  const ordered = order && order.key === cohort?.key ? order.rows : none;
  const first = asked ?? ordered[0] ?? cohort?.rows[0];

  // Adjusted while rendering: no frame shows what took the place of the one that is read.
  if (hold && cohort && first && held?.key !== cohort.key) setHeld({ key: cohort.key, first });
  if (!hold && held) setHeld(undefined);
  const ready = useListState('sandboxes') === 'ready';
  const named = asked ?? (held && held.key === cohort?.key ? held.first : first);
  const kept = useKeptRow(named?.ns ?? '', named?.name ?? '');
  const { row } = kept;
  const at = row ? ordered.findIndex(({ uid }) => uid === row.uid) : -1;
  return {
    cohort,
    kept,
    row,
    /** The one that was asked for does not exist, as far as everything is listed. */
    lost: asked && ready && !row ? asked : undefined,
    setHold,
    /** Tells the order in which the members of a cohort are shown. */
    setOrder,
    /** Goes to the member that is so many further on; undefined when there is none. */
    step: (by: number) => {
      const next = at < 0 ? undefined : ordered[at + by];
      return next && cohort ? () => setPeek(cohort.key, next) : undefined;
    },
  };
}

interface Order {
  /** Of the cohort. */
  key: string;
  rows: readonly SandboxRow[];
}

const isSame = (a: Order, b: Order): boolean =>
  a.key === b.key && a.rows.length === b.rows.length && a.rows.every((row, index) => row === b.rows[index]);

const holds = ({ rows }: Cohort, { ns, name }: { ns: string; name: string }): boolean =>
  rows.some((row) => row.name === name && row.ns === ns);
