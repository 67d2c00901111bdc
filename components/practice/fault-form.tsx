'use client';

import { useState } from 'react';
import type { ParameterValues, PracticeFault } from '@/lib/contracts/practice';
import type { Problem } from '@/lib/contracts/problem';
import { useTranslations } from '@/lib/i18n/use-translations';
import { ParameterFields } from './parameter-fields';
import { firstDraft, parametersOf, read } from './parameters';

/** What a fault takes, with what stands for it when nothing is said; `id` names the form to the button that sends it. */
export function FaultForm({
  id,
  fault,
  refused,
  onStart,
}: {
  id: string;
  fault: PracticeFault;
  /** What the cluster refused the last time; what is typed then is new. */
  refused: Problem['fields'];
  onStart: (params: ParameterValues) => void;
}) {
  const t = useTranslations('practice');
  const parameters = parametersOf(fault);
  const [draft, setDraft] = useState(() => firstDraft(fault));
  const [sent, setSent] = useState<typeof draft>();
  const { values, wrong } = read(parameters, draft);
  const errors = Object.fromEntries(
    Object.entries(wrong).map(([name, { key, ...of }]) => [name, t(`wrong.${key}`, of)]),
  );
  if (sent === draft) for (const { field, message } of refused ?? []) errors[field.split('.')[0] ?? ''] ??= message;
  return (
    <form
      id={id}
      className="pform"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (Object.keys(wrong).length > 0) {
          const first = event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button');
          first?.focus();
          return;
        }
        setSent(draft);
        onStart(values);
      }}
    >
      <ParameterFields
        fault={fault}
        parameters={parameters}
        draft={draft}
        errors={errors}
        onChange={(name, said) => setDraft((before) => ({ ...before, [name]: said }))}
      />
    </form>
  );
}
