'use client';

import type { ReactNode } from 'react';
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
  // Setting deletionTimestamp moves the generation, and nobody observes that.
  const behind = row.deleting === undefined && row.gen !== undefined && row.obs !== undefined && row.obs < row.gen;
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
    </section>
  );
}
