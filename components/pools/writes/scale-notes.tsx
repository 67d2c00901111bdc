'use client';

import { useQuery } from '@tanstack/react-query';
import type { PoolRow } from '@/lib/contracts/rows';
import type { Receipt, RecentAction } from '@/lib/contracts/writes';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { Button, Note } from '../../ui';
import { accessIn } from '../../writes/api';

/** A change by somebody else is worth a word for this long. */
const recentMs = 60_000;

/** Results of a write that happened, or may have: the number on screen decides. */
const maybeWritten: readonly RecentAction['result'][] = ['accepted', 'observed', 'unknown'];

/** Who set the pool to this number through this console, as far as its log of recent actions reaches; `own`: this person. */
function useActor(pool: PoolRow, actions: readonly RecentAction[]): { actor: string; own: boolean } | undefined {
  const me = useQuery(accessIn(pool.ns)).data?.person.subject;
  const last = actions.find(
    ({ action, object, result }) =>
      action === 'scalePool' &&
      maybeWritten.includes(result) &&
      object.namespace === pool.ns &&
      object.name === pool.name,
  );
  return last?.summary.endsWith(`→ ${pool.desired}`) ? { actor: last.actor, own: last.actor === me } : undefined;
}

type About = { pool: PoolRow; actions: readonly RecentAction[] };

/** Another writer changed the number within the last minute: it may do so again. */
export function ScaleOthers({ pool, actions, receipt }: About & { receipt: Receipt | undefined }) {
  const t = useTranslations('writes.scale');
  const f = useFormats();
  const now = useNow();
  const by = useActor(pool, actions);
  const { scaledAt, scaledFrom } = pool;
  if (scaledAt === undefined || scaledFrom === undefined || now - scaledAt > recentMs) return null;
  // The log of actions is asked for after the write and comes later than the watch.
  if (receipt?.before === scaledFrom && receipt.after === pool.desired) return null;
  const numbers = { from: f.number(scaledFrom), to: f.number(pool.desired) };
  const age = f.duration(Math.max(0, now - scaledAt));
  if (by?.own) return <p className="sm mut">{t('ownBody', { ...numbers, age })}</p>;
  return (
    <Note tone="attention" title={t('otherTitle', { age })}>
      <p>{by ? t('otherBody', { ...numbers, actor: by.actor }) : t('otherUnknown', numbers)}</p>
    </Note>
  );
}

/** The number changed while the form was open; what was typed is kept until the person says so. */
export function ScaleMoved(props: About & { from: number; to: number; typed: string; onTake: () => void }) {
  const t = useTranslations('writes.moved');
  const f = useFormats();
  const by = useActor(props.pool, props.actions);
  const numbers = { from: f.number(props.from), to: f.number(props.to) };
  return (
    <Note tone="attention" title={t('title', numbers)} live>
      <p>{by?.own ? t('own') : by ? t('by', { actor: by.actor }) : t('unknownBy', { typed: props.typed })}</p>
      <p>
        <Button size="sm" onClick={props.onTake}>
          {t('take', numbers)}
        </Button>
      </p>
    </Note>
  );
}
