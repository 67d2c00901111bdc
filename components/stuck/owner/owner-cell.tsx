'use client';

import { UserCheck } from 'lucide-react';
import { createContext, useContext } from 'react';
import { SafeText } from '@/components/common';
import { Button } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { Mark, MarkScope } from '@/lib/contracts/triage';
import { spokenFor } from '@/lib/domain/triage';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { shortOwner } from '../../sandboxes/session-name';
import type { Said } from './use-triage';

/** What a mark is to be put on: its scope, the rows that has now, and its name in words. */
export interface MarkTarget {
  scope: MarkScope;
  rows: readonly SandboxRow[];
  name: string;
}

/** What cells stand on: a column that changed with it would make every cell anew. */
export const OwnerContext = createContext<
  { said: Said; onTake: (target: MarkTarget) => void; onOpen: (target: MarkTarget) => void } | undefined
>(undefined);

/** Who is on it, since when, for how many; or a button to take it. */
export function OwnerCell({ target }: { target: MarkTarget }) {
  const t = useTranslations('stuck.owner');
  const f = useFormats();
  const owner = useContext(OwnerContext);
  if (!owner) throw new Error('OwnerContext is missing above');
  const { said, onTake, onOpen } = owner;
  const [most, ...others] = spokenFor(target.rows, said.markOf);
  const spoken = (most?.count ?? 0) + others.reduce((sum, { count }) => sum + count, 0);
  const name = target.name;
  if (!most && said.isAway) {
    return (
      <span className="dim" title={t('unknown')}>
        <span aria-hidden="true">–</span>
        <span className="sr-only">{t('unknown')}</span>
      </span>
    );
  }
  if (!most) {
    return (
      <Button
        size="sm"
        variant="quiet"
        icon={UserCheck}
        aria-label={t('takeOf', { name })}
        busy={said.isPending}
        onClick={() => onTake(target)}
      >
        {t('take')}
      </Button>
    );
  }
  return (
    <button type="button" className="said" aria-label={t('changeOf', { name })} onClick={() => onOpen(target)}>
      <span className="cut block">
        <Speaker mark={most.mark} />
        {others.length > 0 ? ` +${others.length}` : null}
      </span>
      <span className="sub">
        {spoken < target.rows.length ? (
          t('part', { count: spoken, total: target.rows.length })
        ) : target.rows.every(({ since }) => since !== undefined && since > most.mark.at) ? (
          <span title={f.exact(most.mark.at)}>{t('earlier', { at: f.minutes(most.mark.at) })}</span>
        ) : (
          <Since mark={most.mark} />
        )}
      </span>
    </button>
  );
}

export function Speaker({ mark }: { mark: Mark }) {
  return (
    <bdi title={mark.by}>
      <SafeText text={shortOwner(mark.by)} />
    </bdi>
  );
}

/** `since 03:05`, or until when it is put off. */
export function Since({ mark }: { mark: Mark }) {
  const t = useTranslations('stuck.owner');
  const f = useFormats();
  const title = [f.exact(mark.at), mark.until === undefined ? undefined : f.exact(mark.until), mark.note]
    .filter((line) => line !== undefined)
    .join('\n');
  return (
    <span title={title}>
      {mark.kind === 'snooze' && mark.until !== undefined
        ? t('until', { at: f.minutes(mark.until) })
        : t('since', { at: f.minutes(mark.at) })}
      {mark.note === undefined ? null : ` · ${t('noted')}`}
    </span>
  );
}
