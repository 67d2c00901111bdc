'use client';

import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { stringify } from 'yaml';
import type { UpgradeHistoryReply } from '@/lib/contracts/upgrades';
import { visibleText } from '@/lib/domain/text';
import { type OperationReading, rollBackDraft } from '@/lib/domain/upgrades/operation-reading';
import { isActive } from '@/lib/domain/upgrades/view';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { SafeText } from '../../common';
import { Button, CodeBlock, Drawer, Note, Skeleton } from '../../ui';
import { ProblemNote } from '../../writes/problem-note';
import { planUpgrade } from '../plan/hand-over';
import { upgradeHistory } from '../queries';
import type { FormProps } from './form-props';

type Group = UpgradeHistoryReply['groups'][number];

/** What the sandboxes had before, group by group: each becomes a plan, which is looked through before anything is sent. */
export function RollBackForm(props: FormProps & { reading: OperationReading | undefined }) {
  const t = useTranslations('upgrades.steer.rollBack');
  const { op, view } = props.upgrade;
  const cluster = useLiveStatus().freshness?.cluster.name ?? '';
  const { data, error, refetch } = useQuery(upgradeHistory(op));
  const unknown = data?.unknown ?? [];
  return (
    <Drawer
      open
      onOpenChange={props.onClose}
      title={t('title', { name: op.name })}
      subtitle={`SandboxUpdateOps ${op.name} · ${op.ns} · ${cluster}`}
    >
      {isActive(op) ? <Note tone="attention" title={t('active')} /> : null}
      {error ? <ProblemNote error={error} onAsk={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton width={240} />}
      {data?.groups.map((group) => (
        <GroupBack key={group.key} group={group} {...props} checkpoints={data.checkpoints} />
      ))}
      {data && data.groups.length === 0 ? <p className="mut">{t('nothing')}</p> : null}
      {unknown.length > 0 ? (
        <Note tone="unknown" title={t('unknown', { count: unknown.length })}>
          <p className="mono sm wrap-anywhere">
            <SafeText
              text={unknown
                .slice(0, 20)
                .map(({ name }) => name)
                .join(', ')}
            />
          </p>
        </Note>
      ) : null}
      {view.updating > 0 ? <p className="sm mut">{t('inFlight', { count: view.updating })}</p> : null}
    </Drawer>
  );
}

function GroupBack({
  group,
  checkpoints,
  reading,
  upgrade: { op, view },
}: FormProps & {
  group: Group;
  reading: OperationReading | undefined;
  checkpoints: UpgradeHistoryReply['checkpoints'];
}) {
  const t = useTranslations('upgrades.steer.rollBack');
  const router = useRouter();
  const members = new Set(group.sandboxes.map(({ uid }) => uid));
  const there = view.sandboxes.filter(({ row }) => members.has(row.uid));
  const chosen = (failed: boolean) =>
    there
      .filter((entry) => (failed ? entry.failed : entry.stage === 'Done'))
      .map(({ row: { uid, name } }) => ({ uid, name }));
  const saved = group.sandboxes.flatMap(({ uid }) => checkpoints[uid] ?? []);
  const plan = (failed: boolean) => {
    if (!reading) return;
    const sandboxes = chosen(failed);
    router.push(planUpgrade(rollBackDraft(reading, op.uid, { key: group.key, sandboxes, failed })));
  };
  const [done, failed] = [chosen(false), chosen(true)];
  return (
    <section className="up-group">
      <h3 className="b">
        {t('group', { count: group.sandboxes.length })}{' '}
        <span className="mono mut">
          <SafeText text={group.sandboxes[0]?.name ?? ''} />
        </span>
      </h3>
      {group.inverse ? (
        <CodeBlock label={t('patch')} text={visibleText(stringify(group.inverse, { lineWidth: 0 }).trimEnd())} />
      ) : (
        <p className="mut">{t('noPatch')}</p>
      )}
      {saved.length > 0 ? <p className="sm mut">{t('checkpoints', { count: saved.length })}</p> : null}
      {group.inverse ? (
        <p className="row flex-wrap">
          {done.length > 0 ? (
            <Button icon={Undo2} aria-disabled={!reading} onClick={() => plan(false)}>
              {t('plan', { count: done.length })}
            </Button>
          ) : null}
          {failed.length > 0 ? (
            <Button icon={Undo2} aria-disabled={!reading} onClick={() => plan(true)}>
              {t('planFailed', { count: failed.length })}
            </Button>
          ) : null}
        </p>
      ) : null}
      {there.length < group.sandboxes.length ? (
        <p className="sm mut">{t('away', { count: group.sandboxes.length - there.length })}</p>
      ) : null}
    </section>
  );
}
