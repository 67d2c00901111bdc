'use client';

import { useState } from 'react';
import type { UpgradePreviewReply, UpgradeTarget } from '@/lib/contracts/upgrade-preview';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EmptyState } from '../../common';
import { type DataColumn, DataTable, type Sort, useDataTable } from '../../data-table';
import { sandboxPath } from '../../sandboxes/paths';
import { Segmented, Spinner } from '../../ui';
import { useLeftOutColumns, useTargetColumns } from './target-columns';
import type { Preview } from './use-preview';

type Named = { uid: string; name: string };

const idOf = ({ uid, name }: Named) => `${name}/${uid}`;
const nameOf = ({ name }: Named) => name;
const nothing: UpgradePreviewReply['leftOut'] = [];
const noTargets: UpgradeTarget[] = [];
const byName: Sort = { id: 'name', desc: false };

/** What is taken and what is not, one by one, as the controller will see it. */
export function TargetLists({ namespace, preview }: { namespace: string; preview: Preview }) {
  const t = useTranslations('upgrade-plan.targets');
  const [list, setList] = useState<'taken' | 'leftOut'>('taken');
  const taken = useTargetColumns(namespace);
  const leftOut = useLeftOutColumns(namespace);
  const f = useFormats();
  const { reply, asking, error } = preview;
  const countOf = (rows: readonly unknown[] | undefined) => (rows ? f.number(rows.length) : '–');
  const empty = (title: string, text: string) =>
    reply
      ? { title, text }
      : error
        ? { title: t('notKnown'), text: t('notKnownText') }
        : asking
          ? { title: t('counting'), text: t('countingText') }
          : { title: t('noneChosen'), text: t('noneChosenText') };
  return (
    <section className="plan-list" aria-label={t('lists')}>
      <div className="sech">
        <Segmented
          label={t('lists')}
          value={list}
          options={[
            { value: 'taken', label: t('taken', { count: countOf(reply?.targets) }) },
            { value: 'leftOut', label: t('leftOut', { count: countOf(reply?.leftOut) }) },
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
        <List
          id="upgrade-targets"
          label={t('takenLabel')}
          namespace={namespace}
          rows={reply?.targets ?? noTargets}
          columns={taken}
          footer={t('takenFooter')}
          {...empty(t('noneTaken'), t('noneTakenText'))}
        />
      ) : (
        <List
          id="upgrade-left-out"
          label={t('leftOutLabel')}
          namespace={namespace}
          rows={reply?.leftOut ?? nothing}
          columns={leftOut}
          {...empty(t('noneLeftOut'), t(reply?.targets.length === 0 ? 'nothingMatchesText' : 'noneLeftOutText'))}
        />
      )}
    </section>
  );
}

/** `title` and `text` stand where there are no rows. */
function List<Row extends Named>(props: {
  id: string;
  label: string;
  namespace: string;
  rows: readonly Row[];
  columns: DataColumn<Row>[];
  title: string;
  text: string;
  footer?: string;
}) {
  const { id, namespace, rows, columns } = props;
  const t = useTranslations('upgrade-plan.targets');
  const [sort, onSort] = useState(byName);
  const table = useDataTable({ id, rows, columns, getId: idOf, sort, onSort, scope: namespace });
  // The list stands still under the pointer; what matches no more stays in it for so long.
  const gone = table.gone.size;
  return (
    <DataTable
      table={table}
      kind="sandboxes"
      label={props.label}
      nameOf={nameOf}
      noBanner
      hrefOf={({ name }) => sandboxPath({ ns: namespace, name })}
      empty={<EmptyState title={props.title}>{props.text}</EmptyState>}
      footer={
        [gone > 0 ? t('goneRows', { count: gone }) : undefined, props.footer].filter(Boolean).join(' ') || undefined
      }
    />
  );
}
