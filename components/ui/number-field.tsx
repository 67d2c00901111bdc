'use client';

import { Minus, Plus } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Field, type FieldFrame } from './field';
import { Icon } from './icon';

/** The whole number a text stands for, within bounds; undefined for everything else: `1e3`, `1.5`, `-1`, full-width digits. */
export function parseWhole(text: string, min: number, max: number): number | undefined {
  if (!/^[0-9]{1,15}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

/**
 * A whole number with a step down and up. Holds text, so that nothing typed is ever changed or lost;
 * read it with {@link parseWhole}.
 */
export function NumberField({
  label,
  error,
  hint,
  value,
  onChange,
  min = 0,
  max = 2_147_483_647,
  autoFocus,
}: FieldFrame & {
  value: string;
  onChange: (value: string) => void;
  min?: number;
  max?: number;
  autoFocus?: boolean;
}) {
  const t = useTranslations('common.field');
  const number = parseWhole(value, min, max);
  const step = (by: number) => {
    if (number !== undefined) onChange(String(Math.min(max, Math.max(min, number + by))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  };
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <div className="step" data-invalid={control['aria-invalid'] || undefined}>
          <button type="button" tabIndex={-1} aria-label={t('less')} onClick={() => step(-1)}>
            <Icon icon={Minus} />
          </button>
          <input
            {...control}
            // Not the attribute of that name: an overlay could then not tell where the focus came from.
            data-first={autoFocus}
            inputMode="numeric"
            autoComplete="off"
            value={value}
            onChange={(event) => onChange(event.target.value.trim())}
            onKeyDown={onKeyDown}
          />
          <button type="button" tabIndex={-1} aria-label={t('moreOf')} onClick={() => step(1)}>
            <Icon icon={Plus} />
          </button>
        </div>
      )}
    </Field>
  );
}
