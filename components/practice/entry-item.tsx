'use client';

import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { ParameterValues, PracticeRequest } from '@/lib/contracts/practice';
import type { Problem } from '@/lib/contracts/problem';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../common';
import { Button, Note, Tag } from '../ui';
import { type Entry, isRunning } from './entries';
import { FaultForm } from './fault-form';

/** One scenario or fault: what will happen, what it takes, and the button that starts or ends it. */
export function EntryItem({
  entry,
  busy,
  seconds,
  failure,
  onChange,
}: {
  entry: Entry;
  busy: boolean;
  /** After which a fault ends by itself. */
  seconds: number | undefined;
  /** Why the last change of this was refused, and at which fields. */
  failure: { text: string; fields: Problem['fields'] } | undefined;
  onChange: (request: PracticeRequest) => void;
}) {
  const t = useTranslations('practice');
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [asking, setAsking] = useState(false);
  const { name, title } = entry;
  const request = requestOf(entry, seconds);
  const starts = request.do === 'startFault' || request.do === 'startScenario';
  const moving = entry.kind === 'scenario' && entry.scenario.phase === 'ending';
  const form = entry.kind === 'fault' && starts && Object.keys(entry.fault.params.properties).length > 0;
  const start = (params: ParameterValues) => {
    // The fields go when the fault begins: the focus stands on what ends it.
    button.current?.focus();
    if (request.do === 'startFault') onChange({ ...request, params });
  };
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
        {form ? (
          <Button
            variant="quiet"
            size="sm"
            icon={asking ? ChevronDown : ChevronRight}
            aria-expanded={asking}
            aria-controls={asking ? id : undefined}
            aria-label={t('optionsOf', { title })}
            onClick={() => setAsking(!asking)}
          >
            {t('options')}
          </Button>
        ) : null}
      </div>
      <Button
        ref={button}
        size="sm"
        data-name={name}
        aria-label={starts ? t('startOf', { title }) : t('endOf', { title })}
        busy={busy || moving}
        {...(form && asking ? { type: 'submit', form: id } : { onClick: () => onChange(request) })}
      >
        {starts ? t('start') : t('end')}
      </Button>
      {form && asking ? <FaultForm id={id} fault={entry.fault} refused={failure?.fields} onStart={start} /> : null}
      {failure === undefined ? null : (
        <Note tone="breach" title={t('refused')} live>
          {failure.text}
        </Note>
      )}
    </li>
  );
}

function requestOf(entry: Entry, seconds: number | undefined): PracticeRequest {
  const { name } = entry;
  if (entry.kind === 'scenario') return { do: isRunning(entry.scenario) ? 'endScenario' : 'startScenario', name };
  if (entry.active !== undefined) return { do: 'endFault', id: entry.active.id };
  return { do: 'startFault', name, ...(seconds === undefined ? {} : { seconds }) };
}
