'use client';

import { Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button, IconButton } from '../../ui';
import type { FormVariable } from './task-form';

/** Variables of the code. What they hold is sent and nothing else: not kept in the browser, not sent back. */
export function EnvRows(props: {
  env: readonly FormVariable[];
  errors: readonly string[];
  /** Names that cannot be sent. */
  faulty: readonly string[];
  onChange: (env: FormVariable[]) => void;
}) {
  const { env, errors, faulty, onChange } = props;
  const t = useTranslations('tasks.env');
  const set = (at: number, part: Partial<FormVariable>) =>
    onChange(env.map((each, index) => (index === at ? { ...each, ...part } : each)));
  const add = useRef<HTMLButtonElement>(null);
  const remove = (at: number) => {
    // Before the last row goes, and the focus with it.
    if (at === env.length - 1) add.current?.focus();
    onChange(env.filter((_, index) => index !== at));
  };
  const toType = env.filter(({ name, value }) => name !== '' && value === undefined);
  return (
    <fieldset className="task-set">
      <legend>{t('label')}</legend>
      {env.map(({ name, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <div key={at} className="task-env">
          <Cell
            label={t('name', { row: at + 1 })}
            placeholder={t('namePlaceholder')}
            isInvalid={faulty.includes(name) && (name !== '' || Boolean(value))}
            value={name}
            onChange={(next) => set(at, { name: next.trim() })}
          />
          <Cell
            label={t('value', { row: at + 1 })}
            placeholder={value === undefined && name !== '' ? t('typeAgain') : ''}
            value={value ?? ''}
            onChange={(next) => set(at, { value: next })}
          />
          <IconButton label={t('remove', { row: at + 1 })} icon={X} onClick={() => remove(at)} />
        </div>
      ))}
      <div>
        <Button
          ref={add}
          size="sm"
          icon={Plus}
          data-wrong={errors.length > 0 || undefined}
          onClick={() => onChange([...env, { name: '', value: '' }])}
        >
          {t('add')}
        </Button>
      </div>
      {toType.length > 0 ? (
        <p className="fhint">{t('missing', { names: toType.map(({ name }) => name).join(', ') })}</p>
      ) : null}
      {errors.map((error) => (
        <p key={error} className="ferr" role="alert">
          {error}
        </p>
      ))}
    </fieldset>
  );
}

function Cell(props: {
  label: string;
  placeholder: string;
  isInvalid?: boolean;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <input
      type="text"
      className="in mono"
      autoComplete="off"
      spellCheck={false}
      aria-label={props.label}
      aria-invalid={props.isInvalid}
      placeholder={props.placeholder}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}
