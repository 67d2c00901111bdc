'use client';

import { KeyValues } from '@/components/common';
import type { SandboxRow } from '@/lib/contracts/rows';
import { deadlineOf, nextThing } from '@/lib/domain/deadlines';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { Extendable } from '../actions';

/** Both timers of the object, and whether the controller heeds them in this state. */
export function Deadlines({ row }: { row: SandboxRow }) {
  const t = useTranslations('sandboxes.detail.deadlines');
  const now = useNow();
  const ignored = (row.pauseAt !== undefined || row.shutdownAt !== undefined) && !nextThing(row, now);
  const ended = row.state === 'Failed' || row.state === 'Succeeded';
  return (
    <>
      <KeyValues
        items={[
          { label: 'pauseTime', value: <Movable row={row} field="pauseTime" at={row.pauseAt} now={now} /> },
          { label: 'shutdownTime', value: <Movable row={row} field="shutdownTime" at={row.shutdownAt} now={now} /> },
          { label: 'spec.paused', value: row.paused ? 'true' : 'false', mono: true },
        ]}
      />
      {ignored && ended ? <p className="sm dim px-[var(--gutter)] pb-3">{t('ignored')}</p> : null}
    </>
  );
}

function Movable(props: { row: SandboxRow; field: 'pauseTime' | 'shutdownTime'; at: number | undefined; now: number }) {
  return (
    <Extendable row={props.row} field={props.field}>
      <Deadline at={props.at} now={props.now} />
    </Extendable>
  );
}

function Deadline({ at, now }: { at: number | undefined; now: number }) {
  const t = useTranslations('sandboxes.detail.deadlines');
  const f = useFormats();
  const deadline = deadlineOf(at, now);
  if (at === undefined || deadline === undefined) return <span className="dim">{t('notSet')}</span>;
  if (deadline === 'none') return <span title={f.exact(at)}>{t('noLimit')}</span>;
  return (
    <>
      <span title={f.exact(at)}>{f.dateTime(at)}</span>{' '}
      <span className="dim">{at > now ? t('in', { left: f.coarse(at - now) }) : t('passed')}</span>
    </>
  );
}
