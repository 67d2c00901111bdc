'use client';

import type { ReactNode } from 'react';
import { Command } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import { nextThing } from '@/lib/domain/deadlines';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';

/** What will happen if nobody does anything, as the object says it. */
export function WhatNext({ row }: { row: SandboxRow }) {
  const t = useTranslations('stuck.next');
  const f = useFormats();
  const now = useNow();
  const next = nextThing(row, now);
  const b = (chunk: ReactNode) => <b className="b text-fg">{chunk}</b>;
  const behind = row.gen !== undefined && row.obs !== undefined && row.obs < row.gen;
  return (
    <section className="psec">
      <h3>{t('title')}</h3>
      <p className="mut">
        {next
          ? t.rich(next.kind, { at: f.dateTime(next.at), left: f.duration(Math.max(0, next.at - now)), b })
          : t('nothing')}
        {row.claimed && (next?.kind === 'shutdown' || next?.kind === 'expired') ? ` ${t('session')}` : null}
      </p>
      {behind ? (
        <p className="mut mt-1">{t('behind', { gen: f.number(row.gen ?? 0), obs: f.number(row.obs ?? 0) })}</p>
      ) : null}
      {row.cause?.code === 'InitImageMismatch' ? <WayOut row={row} /> : null}
    </section>
  );
}

/** The way out that was seen to work; deleting the Pod alone brings an identical one (domain 14, T1). */
function WayOut({ row: { ns, name } }: { row: SandboxRow }) {
  const t = useTranslations('stuck.wayOut');
  return (
    <div className="mt-3 grid gap-2">
      <h3>{t('title')}</h3>
      <p className="mut">{t('text')}</p>
      <Command text={`kubectl -n ${ns} edit sbx ${name}`} label={t('template')} />
      <Command text={`kubectl -n ${ns} delete pod ${name}`} label={t('pod')} />
      <p className="sm dim">{t('refused')}</p>
    </div>
  );
}
