'use client';

import { type ReactNode, useId } from 'react';

export type FieldFrame = {
  label: ReactNode;
  /** What is wrong, and so what to do. */
  error?: ReactNode;
  /** Said before anything is wrong. */
  hint?: ReactNode;
};

/** Label, control, error and hint, tied together for screen readers. */
export function Field({
  label,
  error,
  hint,
  children,
}: FieldFrame & {
  children: (control: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }) => ReactNode;
}) {
  const id = useId();
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <div className="fld">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': Boolean(error), 'aria-describedby': described || undefined })}
      {error ? (
        <p className="ferr" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {hint ? (
        <p className="fhint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}
