import { useState } from 'react';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxAction } from '@/lib/contracts/sandbox-writes';
import { readSandbox } from '@/lib/domain/object-readings';
import { suggestedImages } from '@/lib/domain/sandbox-losses';
import { useFormats } from '@/lib/i18n';
import { typedTime } from '@/lib/i18n/time-zone';
import { useNow, useRow } from '@/lib/live';
import { useSandboxObject } from '../object-query';
import { changeOf, type DeadlineField, type Draft, firstDraft } from './draft';

export type Question = ReturnType<typeof useQuestion>;

/**
 * What is asked, of whom, and what the fields hold. `rows` are frozen: what comes while it stands was not asked about. The first
 * one's object is read for what rows do not hold; it stands for the others where they are of one template.
 */
export function useQuestion(asked: {
  action: SandboxAction;
  /** Of `rows`. */
  first: SandboxRow;
  rows: readonly SandboxRow[];
  field: DeadlineField | undefined;
}) {
  const { action, first } = asked;
  const [rows, setRows] = useState(asked.rows);
  const [draft, setDraft] = useState<Draft>(() => firstDraft(asked.rows, asked.field));
  const f = useFormats();
  const now = useNow();
  const live = useRow('sandboxes', first.uid);
  const read = useSandboxObject(first, live ?? first).data;
  // The answer for a name may be of its next bearer.
  const own = read?.object.metadata.uid === first.uid ? read : undefined;
  const images = draft.images ?? (own && suggestedImages(own.object, own.pod));
  /** The whole object, of one. */
  const reply = rows.length === 1 ? own : undefined;
  const finalizers = reply && readSandbox(reply.object).finalizers;
  const atMs = typedTime(draft.at, f.timeZone);
  const wanted = changeOf(action, draft, { rows, images, finalizers, atMs, now });
  return {
    action,
    first,
    rows,
    setRows,
    draft,
    onDraft: (change: Partial<Draft>) => setDraft((was) => ({ ...was, ...change })),
    images,
    reply,
    finalizers,
    /** What would be sent; else what is lacking. */
    change: 'change' in wanted ? wanted.change : undefined,
    lacking: 'lacking' in wanted ? wanted.lacking : undefined,
  };
}
