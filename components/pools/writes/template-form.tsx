'use client';

import { Plus, X } from 'lucide-react';
import type { Template } from '@/lib/domain/templates';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button, IconButton, TextField } from '../../ui';
import { type FieldProblem, fieldOf } from './template-checks';
import { type ContainerView, containerViews, type Edit, editContainer } from './template-edits';
import '../../writes/writes.css';

type Ask = (field: string) => string | undefined;

/** The fields of a template that change often, container by container; the rest is in the YAML view. */
export function TemplateForm(props: {
  template: Template;
  problems: readonly FieldProblem[];
  onChange: (template: Template) => void;
}) {
  const t = useTranslations('writes.template.field');
  const errorOf: Ask = (field) => {
    const found = props.problems.find((problem) => problem.field === field);
    return found && t(found.code);
  };
  return containerViews(props.template).map((container) => (
    <ContainerFields
      key={fieldOf(container)}
      container={container}
      errorOf={errorOf}
      onEdit={(edit) => props.onChange(editContainer(props.template, container, edit))}
    />
  ));
}

type Part = { container: ContainerView; errorOf: Ask; onEdit: (edit: Edit) => void };

function ContainerFields({ container, errorOf, onEdit }: Part) {
  const t = useTranslations('writes.template');
  return (
    <fieldset className="write-container">
      <legend>{t(container.init ? 'initContainer' : 'container', { name: container.name })}</legend>
      <TextField
        label={t('image')}
        mono
        value={container.image}
        error={errorOf(fieldOf(container, 'image'))}
        onChange={(image) => onEdit({ what: 'image', image })}
      />
      <Resources container={container} errorOf={errorOf} onEdit={onEdit} />
      <Environment container={container} errorOf={errorOf} onEdit={onEdit} />
    </fieldset>
  );
}

const quantities = [
  { side: 'requests', resource: 'cpu', label: 'requestsCpu' },
  { side: 'limits', resource: 'cpu', label: 'limitsCpu' },
  { side: 'requests', resource: 'memory', label: 'requestsMemory' },
  { side: 'limits', resource: 'memory', label: 'limitsMemory' },
] as const;

function Resources({ container, errorOf, onEdit }: Part) {
  const t = useTranslations('writes.template');
  return (
    <div className="write-pair">
      {quantities.map(({ side, resource, label }) => (
        <TextField
          key={label}
          label={t(label)}
          value={container.resources[side][resource]}
          error={errorOf(fieldOf(container, side, resource))}
          onChange={(quantity) => onEdit({ what: 'resource', side, resource, quantity: quantity.trim() })}
        />
      ))}
    </div>
  );
}

function Environment({ container, errorOf, onEdit }: Part) {
  const t = useTranslations('writes.template');
  return (
    <div className="fld">
      <span className="lab">{t('env')}</span>
      {container.env.map((entry, index) => {
        const error = errorOf(fieldOf(container, 'env', index));
        const hint = { plain: undefined, hidden: t('envHidden'), reference: t('envReference') }[entry.kind];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a variable has no other identity while its name is typed
          <div key={index}>
            <div className="write-env">
              <input
                className="in mono"
                aria-label={t('envName', { index: index + 1 })}
                aria-invalid={error !== undefined}
                value={entry.name}
                // Under another name a hidden value could not be put back.
                disabled={entry.kind === 'hidden'}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => onEdit({ what: 'env', index, name: event.target.value })}
              />
              <input
                className="in mono"
                aria-label={t('envValue', { name: entry.name })}
                value={entry.value}
                placeholder={hint}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => onEdit({ what: 'env', index, value: event.target.value })}
              />
              <IconButton
                label={t('envRemove', { name: entry.name })}
                icon={X}
                onClick={() => onEdit({ what: 'removeEnv', index })}
              />
            </div>
            {error ? <p className="ferr">{error}</p> : null}
          </div>
        );
      })}
      <div>
        <Button size="sm" icon={Plus} onClick={() => onEdit({ what: 'addEnv' })}>
          {t('envAdd')}
        </Button>
      </div>
    </div>
  );
}
