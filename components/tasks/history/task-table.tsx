'use client';

import Link from 'next/link';
import type { TaskSummary } from '@/lib/contracts/tasks';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { Ago, SafeText } from '../../common';
import { useRowPress } from '../../data-table/use-row-press';
import { ScrollArea } from '../../ui';
import { TaskState } from '../run/task-panel';

const hrefOf = (id: string) => `/tasks?task=${encodeURIComponent(id)}`;

/** One line a task, opened by a press anywhere in it; its name is the permanent link. */
export function TaskTable(props: {
  rows: readonly TaskSummary[];
  openId: string | null;
  onOpen: (id: string) => void;
}) {
  const { rows, openId, onOpen } = props;
  const t = useTranslations('tasks.history');
  const f = useFormats();
  const now = useNow(5_000);
  const ms = (value: number | undefined) =>
    value === undefined ? <span className="dim">–</span> : f.duration(Math.max(1, value));
  const run = ({ durations, runAtMost }: TaskSummary) =>
    runAtMost && durations.run !== undefined
      ? t('atMost', { time: f.duration(Math.max(1, durations.run)) })
      : ms(durations.run);
  const after = ({ keptUntil, durations, origin, unreleased }: TaskSummary) => {
    if (unreleased) return t(origin === undefined ? 'unclear' : 'unreleased');
    if (keptUntil !== undefined) return t(keptUntil > now ? 'keptUntil' : 'over', { at: f.time(keptUntil) });
    return origin === undefined || durations.release === undefined ? <span className="dim">–</span> : t('released');
  };
  const onPress = useRowPress({
    indexOf: (id) => rows.findIndex((task) => task.id === id),
    activate: () => {},
    open: (index) => onOpen(rows[index]?.id ?? ''),
    openPage: (index) => window.open(hrefOf(rows[index]?.id ?? ''), '_blank', 'noopener'),
  });
  return (
    <ScrollArea className="task-table" label={t('title')}>
      <table className="tbl">
        <thead>
          <tr>
            <th scope="col">{t('column.task')}</th>
            <th scope="col">{t('column.result')}</th>
            <th scope="col" className="p2">
              {t('column.pool')}
            </th>
            <th scope="col" className="p2">
              {t('column.origin')}
            </th>
            <th scope="col" className="num p2">
              {t('column.claim')}
            </th>
            <th scope="col" className="num p2">
              {t('column.run')}
            </th>
            <th scope="col" className="num">
              {t('column.total')}
            </th>
            <th scope="col" className="p2">
              {t('column.after')}
            </th>
            <th scope="col" className="num">
              {t('column.started')}
            </th>
          </tr>
        </thead>
        <tbody onClickCapture={onPress} onAuxClick={onPress}>
          {rows.map((task) => (
            <tr key={task.id} data-row-id={task.id} aria-current={task.id === openId ? 'true' : undefined}>
              <td className="task-title">
                <Link data-row-link href={hrefOf(task.id)}>
                  <SafeText text={task.title} />
                </Link>
              </td>
              <td>
                <TaskState task={task} />
              </td>
              <td className="mut p2">
                <SafeText text={task.pool.name} /> <span className="dim">{task.pool.ns}</span>
              </td>
              <td className="mut p2">{task.origin ? t(`origin.${task.origin}`) : <span className="dim">–</span>}</td>
              <td className="num p2">{ms(task.durations.claim)}</td>
              <td className="num p2">{run(task)}</td>
              <td className="num">{ms(task.endedAt === undefined ? undefined : task.endedAt - task.createdAt)}</td>
              <td className="mut p2">{after(task)}</td>
              <td className="num mut">
                <Ago at={task.createdAt} bare />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
