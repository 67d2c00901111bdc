'use client';

import { useState } from 'react';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxAction } from '@/lib/contracts/sandbox-writes';
import { readSandbox } from '@/lib/domain/object-readings';
import { suggestedImages } from '@/lib/domain/sandbox-losses';
import { useFormats } from '@/lib/i18n';
import { typedTime } from '@/lib/i18n/time-zone';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus, useNow, useRow } from '@/lib/live';
import { useSandboxObject } from '../object-query';
import { ActionFrame } from './action-frame';
import { changeOf, type DeadlineField, type Draft, firstDraft } from './draft';
import './actions.css';

/**
 * The question before an action, and what became of it. `rows` are frozen: what comes while it stands was not asked about.
 * The first one's object is read for what rows do not hold; it stands for the others where they are of one template.
 */
export function ActionDialog(props: {
  action: SandboxAction;
  rows: readonly SandboxRow[];
  field: DeadlineField | undefined;
  onClose: () => void;
  returnFocus: () => HTMLElement | null;
}) {
  const { action, onClose, returnFocus } = props;
  const [rows, setRows] = useState(props.rows);
  const [draft, setDraft] = useState<Draft>(() => firstDraft(props.rows, props.field));
  const [first] = rows;
  if (!first) return null;
  return (
    <OpenDialog
      {...{ action, rows, first, draft, onClose, returnFocus }}
      onDraft={(change) => setDraft((was) => ({ ...was, ...change }))}
      onRows={setRows}
    />
  );
}

function OpenDialog(props: {
  action: SandboxAction;
  rows: readonly SandboxRow[];
  first: SandboxRow;
  draft: Draft;
  onDraft: (change: Partial<Draft>) => void;
  onRows: (rows: readonly SandboxRow[]) => void;
  onClose: () => void;
  returnFocus: () => HTMLElement | null;
}) {
  const { action, rows, first, draft } = props;
  const t = useTranslations('sandboxes.actions');
  const f = useFormats();
  const now = useNow();
  const live = useRow('sandboxes', first.uid);
  const reply = useSandboxObject(first, live ?? first).data;
  // The answer for a name may be of its next bearer.
  const own = reply?.object.metadata.uid === first.uid ? reply : undefined;
  const images = draft.images ?? (own && suggestedImages(own.object, own.pod));
  const one = rows.length === 1;
  const asked = changeOf(action, draft, {
    rows,
    images,
    finalizers: one && own ? readSandbox(own.object).finalizers : undefined,
    atMs: typedTime(draft.at, f.timeZone),
    now,
  });
  const cluster = useLiveStatus().freshness?.cluster.name ?? '';
  const places = [...new Set(rows.map(({ ns }) => ns))];
  const place = places.length === 1 ? first.ns : t('namespaces', { count: places.length });
  return (
    <ActionFrame
      {...props}
      images={images}
      reply={one ? own : undefined}
      change={'change' in asked ? asked.change : undefined}
      lacking={'lacking' in asked ? asked.lacking : undefined}
      title={one ? t(`title.${action}`, { name: first.name }) : t(`titles.${action}`, { count: rows.length })}
      subtitle={`Sandbox · ${place} · ${cluster}`}
    />
  );
}
