'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PracticeReply, PracticeRequest } from '@/lib/contracts/practice';
import { useTranslations } from '@/lib/i18n/use-translations';
import { RequestError } from '@/lib/read-json';
import { EmptyState, FailedState, useProblemText } from '../common';
import { announce, Button, Drawer, Note, Segmented, Skeleton, TextField } from '../ui';
import { entriesOf, grouped, matching, runningOf } from './entries';
import { EntryItem } from './entry-item';
import { practice, useChange } from './queries';
import { RunningList } from './running-list';
import { usePracticeWords } from './words';

const durations = { '60': 60, '300': 300, '900': 900, '0': undefined } as const;
type Duration = keyof typeof durations;

/** Everything that can be broken on the embedded cluster, and what is. */
export function PracticeDrawer({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useTranslations('practice');
  const say = useProblemText();
  const { data, error, refetch } = useQuery(practice);
  const problem = error instanceof RequestError ? error.problem : undefined;
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title={t('title')} subtitle={t('subtitle')}>
      {data === undefined && error === null ? <Loading /> : null}
      {data === undefined && error !== null ? <FailedState problem={problem} onRetry={() => void refetch()} /> : null}
      {data !== undefined && error !== null ? (
        <Note tone="unknown" title={t('stale')}>
          {t('staleText', { why: problem ? say(problem) : error.message })}
        </Note>
      ) : null}
      {data === undefined ? null : <Contents reply={data} />}
    </Drawer>
  );
}

function Loading() {
  return (
    <ul className="prac" aria-busy="true">
      {[72, 58, 80, 64].map((width) => (
        <li key={width}>
          <Skeleton width={`${width}%`} />
        </li>
      ))}
    </ul>
  );
}

function Contents({ reply }: { reply: PracticeReply }) {
  const t = useTranslations('practice');
  const say = useProblemText();
  const words = usePracticeWords();
  const [sought, setSought] = useState('');
  const [duration, setDuration] = useState<Duration>('300');
  const [busy, setBusy] = useState<string>();
  /** The entry that was pressed last: what is refused is said there, and above all others when it was none. */
  const [tried, setTried] = useState<string>();
  const change = useChange();

  const send = (key: string, request: PracticeRequest, title: string) => {
    setBusy(key);
    const told =
      request.do === 'endAll' ? t('endedAll') : t(request.do.startsWith('end') ? 'ended' : 'started', { title });
    change.mutate(request, { onSuccess: () => announce(told), onSettled: () => setBusy(undefined) });
  };

  const end = (key: string, request: PracticeRequest, title: string) => {
    setTried(undefined);
    send(key, request, title);
  };

  const entries = entriesOf(reply, words);
  const found = matching(entries, sought);
  const problem = change.error instanceof RequestError ? change.error.problem : undefined;
  const text = problem === undefined ? change.error?.message : say(problem);
  const failure = text === undefined ? undefined : { text, fields: problem?.fields };
  return (
    <>
      <TextField label={t('search')} type="search" value={sought} onChange={setSought} />
      <RunningList running={runningOf(reply, words)} busy={busy} onEnd={end} />
      {failure === undefined || tried !== undefined ? null : (
        <Note tone="breach" title={t('refused')} live>
          {failure.text}
        </Note>
      )}
      <div className="row">
        <span className="sm mut">{t('duration')}</span>
        <Segmented
          label={t('duration')}
          value={duration}
          onChange={setDuration}
          options={(['60', '300', '900', '0'] as const).map((value) => {
            const seconds = durations[value];
            return { value, label: seconds === undefined ? t('forever') : t('minutes', { count: seconds / 60 }) };
          })}
        />
      </div>
      {entries.length === 0 ? <EmptyState title={t('none')}>{t('subtitle')}</EmptyState> : null}
      {entries.length > 0 && found.length === 0 ? (
        <div className="blank">
          <h3>{t('noMatch', { text: sought })}</h3>
          <Button onClick={() => setSought('')}>{t('clear')}</Button>
        </div>
      ) : null}
      {grouped(found).map((group) => (
        <section key={group[0]?.group} className="sec">
          <h3>{group[0] ? words.group(group[0]) : null}</h3>
          <ul className="prac">
            {group.map((entry) => (
              <EntryItem
                key={entry.key}
                entry={entry}
                busy={busy === entry.key || busy === 'all'}
                seconds={durations[duration]}
                failure={tried === entry.key ? failure : undefined}
                onChange={(request) => {
                  setTried(entry.key);
                  send(entry.key, request, entry.title);
                }}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
