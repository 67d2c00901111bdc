'use client';

import { type ReactNode, useId } from 'react';

/** A yes or no of a form, with its words beside it; pressing the words is pressing the box. */
export function Check({
  label,
  hint,
  checked,
  onChange,
}: {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="chk">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint ? (
        <p className="fhint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}
