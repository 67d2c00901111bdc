'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useRef, useState } from 'react';
import { taskStates } from '@/lib/contracts/tasks';
import { poolKey } from '@/lib/domain/pools';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { EmptyState, FilterField, PickFilter, SafeText, SectionHead } from '../../common';
import { usePerson } from '../../shell/person';
import { Button, Skeleton } from '../../ui';
import { useDebounced } from '../../writes/use-debounced';
import { history } from '../queries';
import { AskProblem } from '../run/ask-problem';
import { taskParams } from '../task-params';
import { TaskTable } from './task-table';

const states = ['active', ...taskStates] as const;
const origins = ['warm', 'cold'] as const;

/** The person's own tasks, newest first. */
export function TaskHistory({ openId, onOpen }: { openId: string | null; onOpen: (id: string) => void }) {
  const t = useTranslations('tasks.history');
  const stateText = useTranslations('tasks.state');
  const [{ state, pool, origin, q }, setSearch] = useQueryStates(taskParams, { history: 'replace' });
  const { data: person } = usePerson();
  const [text, setText] = useState(q);
  const asked = useDebounced(text, 300);
  const pools = useRows('sandboxsets');
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch, isPending } = useInfiniteQuery(
    history({ state, pool, origin, q: asked.trim() }),
  );
  const rows = (data?.pages ?? []).flatMap(({ tasks }) => tasks);
  const filters = [
    state === null ? '' : stateText(state),
    pool ?? '',
    origin === null ? '' : t(`origin.${origin}`),
    asked.trim(),
  ].filter((filter) => filter !== '');
  const names = pools.map((each) => poolKey(each.ns, each.name));
  const section = useRef<HTMLElement>(null);
  const clear = () => {
    section.current?.querySelector<HTMLInputElement>('input[type="search"]')?.focus();
    setText('');
    void setSearch({ state: null, pool: null, origin: null, q: null });
  };
  return (
    <section ref={section} className="sec" aria-label={t('title')}>
      <SectionHead
        title={t('title')}
        hint={person ? t('own', { person: person.subject }) : undefined}
        end={
          <span className="task-filters">
            <PickFilter
              label={t('filter.state')}
              any={t('any.state')}
              value={state ?? ''}
              options={states.map((value) => ({ value, label: stateText(value) }))}
              onChange={(value) => void setSearch({ state: states.find((each) => each === value) ?? null })}
            />
            <PickFilter
              label={t('filter.pool')}
              any={t('any.pool')}
              value={pool ?? ''}
              options={names.toSorted().map((value) => ({ value, label: value }))}
              onChange={(value) => void setSearch({ pool: value || null })}
            />
            <PickFilter
              label={t('filter.origin')}
              any={t('any.origin')}
              value={origin ?? ''}
              options={origins.map((value) => ({ value, label: t(`origin.${value}`) }))}
              onChange={(value) => void setSearch({ origin: origins.find((each) => each === value) ?? null })}
            />
            <FilterField
              value={text}
              onChange={(next) => {
                setText(next);
                void setSearch({ q: next || null }, { throttleMs: 300 });
              }}
              placeholder={t('filter.text')}
              width={180}
            />
          </span>
        }
      />
      {error ? (
        <div className="task-part">
          <AskProblem error={error} title={t('unreadable')} />
          <div>
            <Button size="sm" onClick={() => void refetch()}>
              {t('retry')}
            </Button>
          </div>
        </div>
      ) : null}
      {isPending ? (
        <div className="task-part" aria-busy="true">
          <Skeleton width="70%" />
          <Skeleton width="60%" />
        </div>
      ) : null}
      {rows.length > 0 ? <TaskTable rows={rows} openId={openId} onOpen={onOpen} /> : null}
      {data && rows.length === 0 ? (
        filters.length > 0 ? (
          <div className="blank">
            <h3>{t('noMatch')}</h3>
            <p className="wrap-any">
              <SafeText text={filters.join(' · ')} />
            </p>
            <Button onClick={clear}>{t('clear')}</Button>
          </div>
        ) : (
          <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
        )
      ) : null}
      {rows.length > 0 ? (
        <div className="more">
          <span>{t(hasNextPage ? 'newest' : 'count', { count: rows.length })}</span>
          {hasNextPage ? (
            <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('older')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}
