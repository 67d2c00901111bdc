'use client';

import { ChevronsUpDown } from 'lucide-react';
import { Field, type FieldFrame } from './field';
import { Icon } from './icon';

/** A choice in a form. The browser's own list: it works with every keyboard, screen reader and phone. */
export function SelectField<V extends string>({
  label,
  error,
  hint,
  value,
  options,
  onChange,
}: FieldFrame & {
  value: V;
  options: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
}) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <span className="in pickf">
          <select
            {...control}
            value={value}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value);
              if (chosen) onChange(chosen.value);
            }}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon icon={ChevronsUpDown} />
        </span>
      )}
    </Field>
  );
}
