'use client';

import clsx from 'clsx';
import { parseAsString, useQueryState } from 'nuqs';
import type { FailureGroup } from '@/lib/domain/upgrades/failure-groups';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState, FilteredEmpty, PickFilter, SectionHead } from '../../common';
import { ColumnsMenu, DataTable, HeldUpdates, useDataTable, useSortParam } from '../../data-table';
import { sandboxPath } from '../../sandboxes/paths';
import { Segmented } from '../../ui';
import { Words } from '../words';
import { stagesOf } from './cells';
import { RecordNote } from './record-note';
import { useStageColumns } from './stage-columns';
import { StagePeek } from './stage-peek';
import { type StageRow, shows } from './stage-rows';
import { nameOf as groupName, type StageFilter } from './use-stage-filter';

const idOf = ({ row }: StageRow) => row.uid;
const nameOf = ({ row }: StageRow) => row.name;
const hrefOf = ({ row }: StageRow) => sandboxPath(row);

/** Every sandbox of the operation, adopted or waiting, by the stage it has reached; one of them beside it. */
export function Stages(props: {
  upgrade: Upgrade;
  all: readonly StageRow[];
  groups: readonly FailureGroup[];
  filter: StageFilter;
  /** So many wait that are not among `all`: the server has not named them. */
  unlisted: number;
}) {
  const { all, filter, groups, unlisted } = props;
  const { op, view } = props.upgrade;
  const t = useTranslations('upgrades.stages');
  const [peek, setPeek] = useQueryState('at', parseAsString);
  const past = all.filter(({ left }) => left !== undefined).length;
  const columns = useStageColumns(op, past > 0);
  const [sort, onSort] = useSortParam('progress');
  const table = useDataTable({
    id: 'stages',
    rows: filter.rows,
    columns,
    getId: idOf,
    sort,
    onSort,
    scope: filter.key,
  });
  const peeked = peek === null ? undefined : all.find(({ row }) => row.name === peek);
  const at = peeked ? table.ordered.findIndex(({ row }) => row.uid === peeked.row.uid) : -1;
  const waiting = filter.counts.waiting + unlisted;
  const step = (index: number) => {
    const next = table.ordered[index];
    return next && at >= 0 ? () => void setPeek(next.row.name) : undefined;
  };
  return (
    <>
      <SectionHead
        title={t('title')}
        hint={
          <>
            {past > 0
              ? t('hintPast', { adopted: view.sandboxes.length, past })
              : t('hint', { adopted: view.sandboxes.length, waiting })}{' '}
            <Words />
          </>
        }
        end={
          <>
            <HeldUpdates table={table} />
            <PickFilter
              label={t('byStage')}
              any={t('anyStage')}
              value={filter.stage}
              options={stagesOf(op).map((stage) => ({ value: stage, label: stage === 'Done' ? t('done') : stage }))}
              onChange={(stage) => filter.set({ stage })}
            />
            <PickFilter
              label={t('byNode')}
              any={t('anyNode')}
              value={filter.node}
              options={filter.nodes.map((node) => ({ value: node, label: node }))}
              onChange={(node) => filter.set({ node })}
            />
            {groups.length > 0 || filter.failure !== '' ? (
              <PickFilter
                label={t('byFailure')}
                any={t('anyFailure')}
                value={filter.failure}
                options={groups.map((group) => ({
                  value: groupName(group),
                  label: `${group.reason} · ${group.sandboxes.length}`,
                }))}
                onChange={(failure) => filter.set({ failure })}
              />
            ) : null}
            <Segmented
              label={t('filter')}
              value={filter.show}
              onChange={(show) => filter.set({ show })}
              options={shows.map((show) => ({
                value: show,
                label: t(`show.${show}`, {
                  count: filter.counts[show] + (show === 'all' || show === 'waiting' ? unlisted : 0),
                }),
              }))}
            />
            <ColumnsMenu table={table} />
          </>
        }
      />
      <RecordNote upgrade={props.upgrade} all={all} />
      <div className={clsx('three nofac', !peeked && 'nopeek')}>
        <DataTable
          table={table}
          kind="sandboxes"
          label={t('title')}
          noBanner
          nameOf={nameOf}
          hrefOf={hrefOf}
          onOpen={({ row }) => void setPeek(row.name)}
          openId={peeked?.row.uid}
          empty={
            all.length > 0 ? (
              <FilteredEmpty total={all.length} onClear={filter.clear} />
            ) : (
              <EmptyState
                title={t('empty')}
                command={`kubectl -n ${op.ns} get sbx -l agents.kruise.io/update-ops=${op.name}`}
              >
                {t('emptyText')}
              </EmptyState>
            )
          }
          footer={unlisted > 0 ? t('waiting', { count: unlisted }) : waiting > 0 ? t('order') : t('footer')}
        />
        {peeked ? (
          <StagePeek
            key={peeked.row.uid}
            op={op}
            entry={peeked}
            group={groups.find(({ sandboxes }) => sandboxes.some(({ uid }) => uid === peeked.row.uid))}
            onPrevious={step(at - 1)}
            onNext={step(at + 1)}
            onClose={() => void setPeek(null)}
          />
        ) : null}
      </div>
    </>
  );
}
