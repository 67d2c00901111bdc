'use client';

import { memo, useMemo, useState } from 'react';
import type { UpgradePreviewReply, UpgradeTarget } from '@/lib/contracts/upgrades';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState } from '../../common';
import type { Sort } from '../../data-table';
import { DataTable, useDataTable } from '../../data-table';
import { sandboxPath } from '../../sandboxes/paths';
import { Segmented, Spinner } from '../../ui';
import { type LeftOut, useLeftOutColumns, useTargetColumns } from './target-columns';
import type { Preview } from './use-preview';

const idOf = ({ uid, name }: { uid: string; name: string }) => `${name}/${uid}`;
const nameOf = ({ name }: { name: string }) => name;
const nothing: UpgradePreviewReply['leftOut'] = [];
const noTargets: UpgradeTarget[] = [];

/** What is taken and what is not, one by one, as the controller will see it. */
export function TargetLists({ namespace, preview }: { namespace: string; preview: Preview }) {
  const t = useTranslations('upgrade-plan.targets');
  const [list, setList] = useState<'taken' | 'leftOut'>('taken');
  const { reply, asking } = preview;
  return (
    <section className="plan-list" aria-label={t('lists')}>
      <div className="sech">
        <Segmented
          label={t('lists')}
          value={list}
          options={[
            { value: 'taken', label: t('taken', { count: reply?.targets.length ?? 0 }) },
            { value: 'leftOut', label: t('leftOut', { count: reply?.leftOut.length ?? 0 }) },
          ]}
          onChange={setList}
        />
        {asking ? <Spinner /> : null}
        {reply?.selector ? (
          <span className="dim end cut mono" title={reply.selector}>
            {reply.selector}
          </span>
        ) : null}
      </div>
      {list === 'taken' ? (
        <Taken namespace={namespace} rows={reply?.targets ?? noTargets} known={reply !== undefined} />
      ) : (
        <NotTaken namespace={namespace} rows={reply?.leftOut ?? nothing} known={reply !== undefined} />
      )}
    </section>
  );
}

const byName: Sort = { id: 'name', desc: false };

const Taken = memo(function Taken(props: { namespace: string; rows: readonly UpgradeTarget[]; known: boolean }) {
  const t = useTranslations('upgrade-plan.targets');
  const { namespace, rows, known } = props;
  const columns = useTargetColumns(namespace);
  const [sort, onSort] = useState(byName);
  const table = useDataTable({ id: 'upgrade-targets', rows, columns, getId: idOf, sort, onSort, scope: namespace });
  const hrefOf = useMemo(
    () =>
      ({ name }: { name: string }) =>
        sandboxPath({ ns: namespace, name }),
    [namespace],
  );
  return (
    <DataTable
      table={table}
      kind="sandboxes"
      label={t('takenLabel')}
      nameOf={nameOf}
      hrefOf={hrefOf}
      empty={
        <EmptyState title={known ? t('noneTaken') : t('noneChosen')}>
          {known ? t('noneTakenText') : t('noneChosenText')}
        </EmptyState>
      }
      footer={t('takenFooter')}
    />
  );
});

const NotTaken = memo(function NotTaken(props: { namespace: string; rows: readonly LeftOut[]; known: boolean }) {
  const t = useTranslations('upgrade-plan.targets');
  const { namespace, rows, known } = props;
  const columns = useLeftOutColumns(namespace);
  const [sort, onSort] = useState(byName);
  const table = useDataTable({ id: 'upgrade-left-out', rows, columns, getId: idOf, sort, onSort, scope: namespace });
  const hrefOf = useMemo(
    () =>
      ({ name }: { name: string }) =>
        sandboxPath({ ns: namespace, name }),
    [namespace],
  );
  return (
    <DataTable
      table={table}
      kind="sandboxes"
      label={t('leftOutLabel')}
      nameOf={nameOf}
      hrefOf={hrefOf}
      empty={
        <EmptyState title={known ? t('noneLeftOut') : t('noneChosen')}>
          {known ? t('noneLeftOutText') : t('noneChosenText')}
        </EmptyState>
      }
    />
  );
});
