'use client';

import Link from 'next/link';
import type { Task } from '@/lib/contracts/tasks';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRowByName } from '@/lib/live';
import { KeyValues, SafeText, SandboxState } from '../../common';
import { objectHref } from '../../shell/navigation';
import { Command } from '../../ui';

/** The same sandbox in the cluster, and how one can see that it came out of the pool. */
export function OriginProof({ task }: { task: Task }) {
  const t = useTranslations('tasks.sandbox');
  const f = useFormats();
  const { sandbox, pool } = task;
  const row = useRowByName('sandboxes', sandbox?.ns ?? '', sandbox?.name ?? '');
  if (!sandbox) return null;
  const { ns, name, origin, created, leftPoolAt, refill, endAt, releasedAt, goneAt } = sandbox;
  const claim = task.steps.find((step) => step.name === 'claim');
  const isSame = row !== undefined && (sandbox.uid === undefined || row.uid === sandbox.uid);
  const link = (where: { ns: string; name: string }) => (
    <Link className="mono wrap-any" href={objectHref('sandboxes', where.ns, where.name)}>
      <SafeText text={where.name} />
    </Link>
  );
  return (
    <section className="task-part" aria-label={t('title')}>
      <h3>{t('title')}</h3>
      <KeyValues
        items={[
          { label: t('id'), value: <SafeText text={sandbox.id} />, mono: true },
          {
            label: t('inCluster'),
            value:
              ns === undefined || name === undefined ? (
                t('notSeen')
              ) : (
                <>
                  {link({ ns, name })} {isSame ? <SandboxState row={row} /> : <span className="dim">{t('gone')}</span>}
                </>
              ),
          },
          { label: t('from'), value: t(`origin.${origin}`, { pool: pool.name }) },
          ...(origin === 'warm'
            ? [
                { label: t('made'), value: created === undefined ? undefined : madeBefore(created) },
                { label: t('left'), value: leftPoolAt === undefined ? t('notSeen') : f.dateTime(leftPoolAt) },
                {
                  label: t('refill'),
                  value: refill ? (
                    <>
                      {link({ ns: pool.ns, name: refill.name })} <span className="dim">{f.time(refill.at)}</span>
                    </>
                  ) : (
                    t(task.endedAt === undefined ? 'refillWaits' : 'refillUnseen')
                  ),
                },
              ]
            : []),
          {
            label: t('end'),
            value:
              releasedAt !== undefined
                ? t('released', { at: f.dateTime(releasedAt) })
                : goneAt !== undefined
                  ? t('goneAt', { at: f.dateTime(goneAt) })
                  : endAt !== undefined
                    ? t('endsAt', { at: f.dateTime(endAt) })
                    : t('noEnd'),
          },
        ]}
      />
      {isSame && ns !== undefined && name !== undefined ? (
        <Command text={`kubectl get sandbox ${name} --namespace ${ns}`} label={t('look')} />
      ) : null}
    </section>
  );

  function madeBefore(at: number): string {
    const before = claim?.startedAt === undefined ? 0 : claim.startedAt - at;
    return before > 0 ? t('madeBefore', { at: f.dateTime(at), before: f.coarse(before) }) : f.dateTime(at);
  }
}
