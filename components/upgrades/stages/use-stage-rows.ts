import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useRows } from '@/lib/live';
import { upgradeHistory, upgradeMembers } from '../queries';
import { useHeld } from '../use-held';
import { type StageRow, stageRows } from './stage-rows';

/** The matrix: what is adopted by the rows, what waits by the last answer of the server, what was by its record. */
export function useStageRows({ op, view }: Upgrade): StageRow[] {
  const members = useQuery(upgradeMembers(op)).data;
  const past = usePast({ op, view });
  const sandboxes = useRows('sandboxes');
  const waits = isActive(op) ? members?.waiting : undefined;
  const byUid = useMemo(() => {
    const wanted = new Set(waits?.map(({ uid }) => uid));
    return new Map(sandboxes.filter(({ uid }) => wanted.has(uid)).map((row) => [row.uid, row]));
  }, [sandboxes, waits]);
  const rows = useMemo(
    () => stageRows(op, view.sandboxes, waits && { waiting: waits }, past, byUid),
    [op, view.sandboxes, waits, past, byUid],
  );
  return useHeld(rows, op.goneAt !== undefined);
}

/** The record, read again when sandboxes have left the operation: then it has more to tell. */
function usePast({ op, view }: Upgrade) {
  const { data, refetch } = useQuery(upgradeHistory(op));
  const count = view.sandboxes.length;
  const last = useRef(count);
  useEffect(() => {
    if (count < last.current && op.goneAt === undefined) void refetch();
    last.current = count;
  }, [count, op.goneAt, refetch]);
  return data;
}
