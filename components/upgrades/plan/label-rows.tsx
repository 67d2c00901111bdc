'use client';

import { useQueries } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useId, useMemo, useRef } from 'react';
import { isObject } from '@/lib/domain/json-diff';
import { userLabels } from '@/lib/domain/user-labels';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { poolObject } from '../../pools/writes/api';
import { Button, IconButton } from '../../ui';
import { emptyLabelRow, type LabelRow } from './draft';
import { needsValues } from './label-selector';
import { type LabelSuggestions, labelSuggestions } from './label-suggestions';
import type { Planning } from './planning';

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;
/** Of more pools than this, the labels of the first ones are enough to suggest from. */
const askedPools = 12;

/** Labels that a pool's template gives to its sandboxes: rows do not carry them. */
function useTemplateLabels(namespace: string): (readonly [string, string])[] {
  const pools = useRows('sandboxsets');
  const asked = pools.filter(({ ns }) => ns === namespace).slice(0, askedPools);
  return useQueries({
    queries: asked.map((pool) => poolObject(pool)),
    combine: (results) =>
      results.flatMap(({ data }) => {
        const spec = data?.object.spec;
        const template = isObject(spec) && isObject(spec.template) ? spec.template : {};
        const labels =
          isObject(template.metadata) && isObject(template.metadata.labels) ? template.metadata.labels : {};
        const texts = Object.entries(labels).flatMap(([key, value]): [string, string][] =>
          typeof value === 'string' ? [[key, value]] : [],
        );
        return userLabels({ metadata: { labels: Object.fromEntries(texts) } });
      }),
  });
}

/** All of the rows have to hold for a sandbox to be taken. */
export function LabelRows({ planning: { form, edit, faultOf } }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.targets');
  const sandboxes = useRows('sandboxes');
  const extra = useTemplateLabels(form.namespace);
  const suggestions = useMemo(
    () => labelSuggestions(sandboxes, form.namespace, extra),
    [sandboxes, form.namespace, extra],
  );
  const set = (index: number, part: Partial<LabelRow>) =>
    edit({ labels: form.labels.map((row, at) => (at === index ? { ...row, ...part } : row)) });
  const none = form.edited ? faultOf('noLabel') : undefined;
  const place = useRef<HTMLFieldSetElement>(null);
  // After the row has come or gone; the last one stands in for one that is no more.
  const focusRow = (index: number) =>
    requestAnimationFrame(() => {
      const rows = place.current?.querySelectorAll<HTMLElement>('.plan-label input:first-child') ?? [];
      rows[Math.min(index, rows.length - 1)]?.focus();
    });
  return (
    <fieldset className="plan-labels" ref={place}>
      <legend>{t('labels')}</legend>
      {form.labels.map((row, index) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity while its key is typed
          key={index}
          row={row}
          index={index}
          suggestions={suggestions}
          error={
            faultOf('labelEmpty', index) ??
            faultOf('labelKey', index) ??
            faultOf('labelValues', index) ??
            faultOf('labelValue', index) ??
            none
          }
          onChange={(part) => set(index, part)}
          onRemove={() => {
            const rest = form.labels.filter((_, at) => at !== index);
            edit({ labels: rest.length > 0 ? rest : [emptyLabelRow] });
            focusRow(index);
          }}
        />
      ))}
      <div>
        <Button
          size="sm"
          icon={Plus}
          onClick={() => {
            edit({ labels: [...form.labels, emptyLabelRow] });
            focusRow(form.labels.length);
          }}
        >
          {t('labelAdd')}
        </Button>
      </div>
      <p className="fhint">{t('labelsHint')}</p>
    </fieldset>
  );
}

function Row(props: {
  row: LabelRow;
  index: number;
  suggestions: LabelSuggestions;
  error: string | undefined;
  onChange: (part: Partial<LabelRow>) => void;
  onRemove: () => void;
}) {
  const { row, suggestions, error, onChange } = props;
  const t = useTranslations('upgrade-plan.targets');
  const id = useId();
  const number = props.index + 1;
  const described = error ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {};
  // A list offers whole texts: what stands before the last comma goes along.
  const before = /^(.*,\s*)?/.exec(row.values)?.[0] ?? '';
  return (
    <div>
      <div className="plan-label">
        <input
          className="in mono"
          aria-label={t('labelKey', { number })}
          placeholder={t('labelKeyPlaceholder')}
          list={`${id}-keys`}
          autoComplete="off"
          spellCheck={false}
          value={row.key}
          onChange={(event) => onChange({ key: event.target.value })}
          {...described}
        />
        <datalist id={`${id}-keys`}>
          {[...suggestions.keys()].map((key) => (
            <option key={key} value={key} />
          ))}
        </datalist>
        <span className="in pickf">
          <select
            aria-label={t('labelOperator', { number })}
            value={row.operator}
            onChange={(event) => {
              const operator = operators.find((each) => each === event.target.value);
              if (operator) onChange({ operator });
            }}
          >
            {operators.map((operator) => (
              <option key={operator} value={operator}>
                {t(`operator.${operator}`)}
              </option>
            ))}
          </select>
        </span>
        <IconButton label={t('labelRemove', { number })} icon={X} onClick={props.onRemove} />
        {needsValues(row) ? (
          <>
            <input
              className="in mono values"
              aria-label={t('labelValues', { number })}
              placeholder={t('labelValuesPlaceholder')}
              list={`${id}-values`}
              autoComplete="off"
              spellCheck={false}
              value={row.values}
              onChange={(event) => onChange({ values: event.target.value })}
              {...described}
            />
            <datalist id={`${id}-values`}>
              {(suggestions.get(row.key.trim()) ?? []).map((value) => (
                <option key={value} value={before + value} />
              ))}
            </datalist>
          </>
        ) : null}
      </div>
      {error ? (
        <p className="ferr" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
