'use client';

import { SafeText } from '@/components/common';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxAction, SandboxChange } from '@/lib/contracts/sandbox-writes';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';

/** The one field that is written: what it is, and what it is going to be. Of several, only the latter. */
export function CurrentToNew({
  action,
  rows,
  change,
}: {
  action: SandboxAction;
  rows: readonly SandboxRow[];
  change: SandboxChange | undefined;
}) {
  const t = useTranslations('sandboxes.actions');
  const f = useFormats();
  const now = useNow();
  const [only] = rows.length === 1 ? rows : [];
  const line = (field: string, from: string | undefined, to: string) => (
    <p>
      <span className="mono">{field}</span>{' '}
      <SafeText text={only ? t('change', { from: from ?? t('notSet'), to }) : t('changeTo', { to })} />
    </p>
  );
  if (action === 'pauseSandbox') return line('spec.paused', String(only?.paused ?? false), 'true');
  if (action === 'resumeSandbox') return line('spec.paused', String(only?.paused ?? false), 'false');
  if (change?.action !== 'setDeadline') return null;
  const { field, to, addSeconds } = change;
  const at = only && (field === 'shutdownTime' ? only.shutdownAt : only.pauseAt);
  const wanted = () => {
    if (to === null) return t('notSet');
    if (to !== undefined) return f.dateTime(Date.parse(to));
    const more = (addSeconds ?? 0) * 1000;
    return only ? f.dateTime(Math.max(at ?? 0, now) + more) : `+ ${f.coarse(more)}`;
  };
  return line(`spec.${field}`, at === undefined ? undefined : f.dateTime(at), wanted());
}
