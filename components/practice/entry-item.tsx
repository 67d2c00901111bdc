'use client';

import type { PracticeRequest } from '@/lib/contracts/practice';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../common';
import { Button, Tag } from '../ui';
import { type Entry, isRunning } from './entries';

/** One scenario or fault: what will happen, and the button that starts or ends it. */
export function EntryItem({
  entry,
  busy,
  seconds,
  onChange,
}: {
  entry: Entry;
  busy: boolean;
  /** After which a fault ends by itself. */
  seconds: number | undefined;
  onChange: (key: string, request: PracticeRequest, title: string) => void;
}) {
  const t = useTranslations('practice');
  const { name, title } = entry;
  const request = requestOf(entry, seconds);
  const ends = request.do === 'endScenario' || request.do === 'endFault';
  const moving = entry.kind === 'scenario' && entry.scenario.phase === 'ending';
  return (
    <li>
      <div>
        <div className="row">
          <b>
            <SafeText text={title} />
          </b>
          {entry.kind === 'fault' ? <Tag>{t('fault')}</Tag> : null}
          {entry.kind === 'scenario' && entry.scenario.wide ? <Tag>{t('wide')}</Tag> : null}
        </div>
        <p className="sm mut">
          <SafeText text={entry.does} />
        </p>
        {entry.kind === 'scenario' && !entry.scenario.wide ? (
          <p className="sm dim">
            {t.rich('inNamespace', {
              namespace: entry.scenario.namespace,
              name: (chunk) => <span className="mono">{chunk}</span>,
            })}
          </p>
        ) : null}
      </div>
      <Button
        size="sm"
        data-name={name}
        aria-label={ends ? t('endOf', { title }) : t('startOf', { title })}
        busy={busy || moving}
        onClick={() => onChange(entry.key, request, title)}
      >
        {ends ? t('end') : t('start')}
      </Button>
    </li>
  );
}

function requestOf(entry: Entry, seconds: number | undefined): PracticeRequest {
  const { name } = entry;
  if (entry.kind === 'scenario') return { do: isRunning(entry.scenario) ? 'endScenario' : 'startScenario', name };
  if (entry.active !== undefined) return { do: 'endFault', id: entry.active.id };
  return { do: 'startFault', name, ...(seconds === undefined ? {} : { seconds }) };
}
