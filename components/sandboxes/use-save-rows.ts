'use client';

import { useCallback } from 'react';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { FilterContext } from '@/lib/domain/sandbox-filter';
import { sandboxesCsv } from './csv';
import { downloadText } from './download';

/** Hands rows to the browser as a CSV file whose name tells when. */
export function useSaveRows(context: FilterContext): (rows: readonly SandboxRow[]) => void {
  return useCallback(
    (rows) => {
      const stamp = new Date(context.now).toISOString().slice(0, 19).replaceAll(':', '');
      downloadText(`sandboxes-${stamp}Z.csv`, 'text/csv;charset=utf-8', sandboxesCsv(rows, context));
    },
    [context],
  );
}
