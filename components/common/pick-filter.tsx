'use client';

import { ChevronsUpDown } from 'lucide-react';
import { Icon } from '../ui';

/** One property to filter by, small enough for the head of a list. The browser's own choice: thousands of nodes fit. */
export function PickFilter(props: {
  label: string;
  /** What stands for "any". */
  any: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  // What was chosen stays to be seen when nothing has it any more.
  const known = props.value === '' || props.options.some(({ value }) => value === props.value);
  const options = known ? props.options : [...props.options, { value: props.value, label: props.value }];
  return (
    <span className="in pickf pick-filter" data-on={props.value !== '' || undefined}>
      <select aria-label={props.label} value={props.value} onChange={(event) => props.onChange(event.target.value)}>
        <option value="">{props.any}</option>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Icon icon={ChevronsUpDown} />
    </span>
  );
}
