'use client';

import { useId } from 'react';
import type { PracticeFault } from '@/lib/contracts/practice';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Checkbox, SelectField, TextField } from '../ui';
import type { Draft, Parameter } from './parameters';
import { usePracticeWords } from './words';

type FieldProps<P> = {
  parameter: P;
  label: string;
  hint: string | undefined;
  error: string | undefined;
  said: Draft[string];
  onChange: (said: Draft[string]) => void;
};
type Of<K extends Parameter['kind']> = Extract<Parameter, { kind: K }>;

/** A field for everything that a fault takes. */
export function ParameterFields({
  fault,
  parameters,
  draft,
  errors,
  onChange,
}: {
  fault: PracticeFault;
  parameters: readonly Parameter[];
  draft: Draft;
  errors: Readonly<Record<string, string>>;
  onChange: (name: string, said: Draft[string]) => void;
}) {
  const words = usePracticeWords();
  return parameters.map((parameter) => {
    const { name } = parameter;
    const described = words.parameter(fault.name, name, fault.params.properties[name]?.description);
    const props = {
      label: described.label,
      hint: described.hint,
      error: errors[name],
      said: draft[name] ?? '',
      onChange: (said: Draft[string]) => onChange(name, said),
    };
    switch (parameter.kind) {
      case 'choice':
        return <Choice key={name} parameter={parameter} {...props} />;
      case 'choices':
        return <Choices key={name} parameter={parameter} {...props} />;
      default:
        return <Typed key={name} parameter={parameter} {...props} />;
    }
  });
}

function Typed({ parameter, said, hint, ...field }: FieldProps<Of<'number'> | Of<'text'>>) {
  const t = useTranslations('practice');
  const range = parameter.kind === 'number' ? t('range', { min: parameter.min, max: parameter.max }) : undefined;
  return (
    <TextField
      {...field}
      hint={[hint, range].filter(Boolean).join(' · ') || undefined}
      value={String(said)}
      {...(parameter.kind === 'number' ? { inputMode: 'decimal' } : { mono: true, maxLength: 253 })}
    />
  );
}

function Choice({ parameter, said, ...field }: FieldProps<Of<'choice'>>) {
  const t = useTranslations('practice');
  const options = parameter.options.map((value) => ({
    value,
    label: parameter.of === 'flag' ? t(value === 'true' ? 'yes' : 'no') : value,
  }));
  return (
    <SelectField
      {...field}
      value={String(said)}
      options={parameter.optional ? [{ value: '', label: t('notSaid') }, ...options] : options}
    />
  );
}

function Choices({ parameter, label, hint, error, said, onChange }: FieldProps<Of<'choices'>>) {
  const id = useId();
  const chosen: readonly string[] = typeof said === 'string' ? [] : said;
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <fieldset className="fld wide" aria-describedby={described || undefined}>
      <legend>{label}</legend>
      <div className="row" data-invalid={error !== undefined || undefined}>
        {parameter.options.map((option) => (
          <span key={option} className="row">
            <Checkbox
              label={option}
              checked={chosen.includes(option)}
              onChange={(on) =>
                onChange(parameter.options.filter((one) => (one === option ? on : chosen.includes(one))))
              }
            />
            <span className="sm mono" aria-hidden="true">
              {option}
            </span>
          </span>
        ))}
      </div>
      {error === undefined ? null : (
        <p className="ferr" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint === undefined ? null : (
        <p className="fhint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}
