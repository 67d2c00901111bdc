'use client';

import { type ReactNode, useId } from 'react';

/** One of a few, each with what it means, which a word on a button could not say. */
export function RadioList<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: ReactNode;
  value: V;
  options: readonly { value: V; label: ReactNode; hint?: ReactNode; error?: ReactNode }[];
  onChange: (value: V) => void;
}) {
  const id = useId();
  return (
    <fieldset className="radios">
      <legend>{label}</legend>
      {options.map((option) => (
        <div key={option.value} className="chk">
          <input
            type="radio"
            id={`${id}-${option.value}`}
            name={id}
            checked={option.value === value}
            aria-describedby={`${id}-${option.value}-text`}
            onChange={() => onChange(option.value)}
          />
          <label htmlFor={`${id}-${option.value}`}>{option.label}</label>
          <div id={`${id}-${option.value}-text`} className="fhint">
            {option.hint}
            {option.error ? <p className="ferr">{option.error}</p> : null}
          </div>
        </div>
      ))}
    </fieldset>
  );
}
