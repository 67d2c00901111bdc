'use client';

import clsx from 'clsx';
import type { ComponentProps } from 'react';
import { Field, type FieldFrame } from './field';

type Value = { value: string; onChange: (value: string) => void };

export function TextField({
  label,
  error,
  hint,
  value,
  onChange,
  mono,
  className,
  ...rest
}: FieldFrame & Value & { mono?: boolean } & Omit<ComponentProps<'input'>, keyof Value>) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          {...rest}
          {...control}
          className={clsx('in', mono && 'mono', className)}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export function TextArea({
  label,
  error,
  hint,
  value,
  onChange,
  mono,
  className,
  ...rest
}: FieldFrame & Value & { mono?: boolean } & Omit<ComponentProps<'textarea'>, keyof Value>) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <textarea
          rows={3}
          spellCheck={false}
          {...rest}
          {...control}
          className={clsx('in area', mono && 'mono', className)}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
