'use client';

import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { stringify } from 'yaml';
import type { UpgradeHistoryReply } from '@/lib/contracts/upgrade-history';
import { visibleText } from '@/lib/domain/text';
import { heldUpBy } from '@/lib/domain/upgrades/held-up';
import { type OperationReading, rollBackDraft } from '@/lib/domain/upgrades/operation-reading';
import { isActive } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus, useNow } from '@/lib/live';
import { SafeText } from '../../common';
import { Button, CodeBlock, Drawer, Note, Skeleton } from '../../ui';
import { ProblemNote } from '../../writes/problem-note';
import { planUpgrade } from '../plan/hand-over';
import { upgradeHistory } from '../queries';
import type { FormProps } from './form-props';

/** Its template is the new one. */
const isChanged = ({ stage }: Upgrade['view']['sandboxes'][number]) => stage !== 'Resuming';

type Group = UpgradeHistoryReply['groups'][number];

/** What the sandboxes had before, group by group: each becomes a plan, which is looked through before anything is sent. */
export function RollBackForm(props: FormProps & { reading: OperationReading | undefined }) {
  const t = useTranslations('upgrades.steer.rollBack');
  const { op, view } = props.upgrade;
  const cluster = useLiveStatus().freshness?.cluster.name ?? '';
  const { data, error, refetch } = useQuery(upgradeHistory(op));
  const unknown = data?.unknown ?? [];
  const now = useNow(5_000);
  const heldUp = new Set(
    view.sandboxes.filter((one) => isChanged(one) && heldUpBy(op, one, now) !== undefined).map(({ row }) => row.uid),
  );
  const inFlight = Math.max(0, view.updating - heldUp.size);
  return (
    <Drawer
      open
      onOpenChange={props.onClose}
      title={t('title', { name: op.name })}
      subtitle={`SandboxUpdateOps ${op.name} · ${op.ns} · ${cluster}`}
    >
      {isActive(op) ? <Note tone="attention" title={t('active')} /> : null}
      {error ? <ProblemNote about="upgrade" asked="reading" error={error} onAsk={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton width={240} />}
      {data && data.groups.length > 1 ? <p className="sm mut">{t('groups', { count: data.groups.length })}</p> : null}
      {data?.groups.map((group) => (
        <GroupBack key={group.key} group={group} heldUp={heldUp} history={data} {...props} />
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
      {op.hooks && data && data.groups.length > 0 ? <p className="sm mut">{t('hooks')}</p> : null}
      {inFlight > 0 ? <p className="sm mut">{t('inFlight', { count: inFlight })}</p> : null}
    </Drawer>
  );
}

function GroupBack({
  group,
  heldUp,
  history,
  reading,
  upgrade: { op, view },
}: FormProps & {
  group: Group;
  reading: OperationReading | undefined;
  heldUp: ReadonlySet<string>;
  history: UpgradeHistoryReply;
}) {
  const t = useTranslations('upgrades.steer.rollBack');
  const router = useRouter();
  const members = new Set(group.sandboxes.map(({ uid }) => uid));
  const there = view.sandboxes.filter(({ row }) => members.has(row.uid));
  const named = (entries: typeof there) => entries.map(({ row: { uid, name } }) => ({ uid, name }));
  const failed = there.filter((entry) => entry.failed);
  const kept = failed.filter(({ row, stage }) => stage === 'PreUpgrade' && !history.rebuilt.includes(row.uid));
  const choices = [
    { word: 'plan' as const, sandboxes: named(there.filter(({ stage }) => stage === 'Done')) },
    { word: 'planFailed' as const, sandboxes: named(failed) },
    { word: 'planHeldUp' as const, sandboxes: named(there.filter(({ row }) => heldUp.has(row.uid))) },
  ].filter(({ sandboxes }) => sandboxes.length > 0);
  // Without an id nothing can be restored from it.
  const saved = group.sandboxes.filter(({ uid }) => {
    const found = history.checkpoints[uid];
    return found?.phase === 'Succeeded' && found.id !== undefined;
  });
  const plan = (sandboxes: typeof group.sandboxes) => {
    if (!reading) return;
    const { preUpgrade, postUpgrade } = reading;
    const origin = { as: 'rollBack' as const, operation: op.name, hooks: { preUpgrade, postUpgrade } };
    const draft = rollBackDraft(reading, op.uid, { key: group.key, sandboxes });
    router.push(planUpgrade({ ...draft, origin }));
  };
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
      {kept.length > 0 ? <p className="sm mut">{t('kept', { count: kept.length })}</p> : null}
      {saved.length > 0 ? <p className="sm mut">{t('checkpoints', { count: saved.length })}</p> : null}
      {group.inverse ? (
        <p className="row flex-wrap">
          {choices.map(({ word, sandboxes }) => (
            <Button key={word} icon={Undo2} aria-disabled={!reading} onClick={() => plan(sandboxes)}>
              {t(word, { count: sandboxes.length })}
            </Button>
          ))}
        </p>
      ) : null}
      {there.length < group.sandboxes.length ? (
        <p className="sm mut">{t('away', { count: group.sandboxes.length - there.length })}</p>
      ) : null}
    </section>
  );
}
