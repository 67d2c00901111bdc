'use client';

import { Undo2 } from 'lucide-react';
import { holdsMask } from '@/lib/domain/redact';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { IconButton } from '../../ui';
import { AddItem } from './add-item';
import type { ContainerProps } from './container-fields';

/** Variables that the patch sets or takes away; others stay as they are. */
export function EnvFields({ now, asked, onEdit }: ContainerProps) {
  const t = useTranslations('upgrade-plan.change');
  const on = { container: asked.name, init: asked.init };
  // A hidden value cannot be shown, and must not be written back as it looks.
  const valueNow = (name: string) => (now?.env.get(name) ?? []).find((value) => !holdsMask(value)) ?? '';
  return (
    <div className="fld">
      <span className="lab">{t('env')}</span>
      {asked.env.map(({ name, value }) => (
        <div key={name} className="plan-row">
          <span className="mono cut" title={name}>
            {value === null ? <del>{name}</del> : <SafeText text={name} />}
          </span>
          {value === null ? (
            <span className="dim">{t('deleted')}</span>
          ) : (
            <input
              className="in mono"
              aria-label={t('envValue', { name })}
              value={value}
              placeholder={valueNow(name)}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onEdit({ what: 'env', ...on, env: { name, value: event.target.value } })}
            />
          )}
          <IconButton
            label={t('envUndo', { name })}
            icon={Undo2}
            onClick={() => onEdit({ what: 'removeEnv', ...on, name })}
          />
        </div>
      ))}
      <AddItem
        label={t('envName', { container: asked.name })}
        placeholder={t('namePlaceholder')}
        known={[...(now?.env.keys() ?? [])]}
        set={t('set')}
        remove={t('takeAway')}
        onSet={(name) => onEdit({ what: 'env', ...on, env: { name, value: valueNow(name) } })}
        onRemove={(name) => onEdit({ what: 'env', ...on, env: { name, value: null } })}
      />
    </div>
  );
}
