'use client';

import { Undo2 } from 'lucide-react';
import type { PatchEdit } from '@/lib/domain/upgrades/patch-edit';
import type { PatchForm, VolumeSource } from '@/lib/domain/upgrades/patch-form';
import { volumeKinds } from '@/lib/domain/upgrades/patch-form-items';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { IconButton } from '../../ui';
import { AddItem } from './add-item';

/** A volume of another kind, with what was typed for the one before where that means something. */
function sourceOf(kind: VolumeSource['kind'], typed: string): VolumeSource {
  if (kind === 'emptyDir') return typed === '' ? { kind } : { kind, sizeLimit: typed };
  return kind === 'hostPath' ? { kind, path: typed } : { kind, name: typed };
}

function typedOf(source: VolumeSource): string {
  if (source.kind === 'emptyDir') return source.sizeLimit ?? '';
  return source.kind === 'hostPath' ? source.path : source.name;
}

/** Volumes of the Pod that the patch sets or takes away. */
export function VolumeFields(props: {
  asked: PatchForm['volumes'];
  known: readonly string[];
  onEdit: (edit: PatchEdit) => void;
}) {
  const { asked, known, onEdit } = props;
  const t = useTranslations('upgrade-plan.change');
  return (
    <fieldset className="write-container">
      <legend>{t('volumes')}</legend>
      {asked.map(({ name, source }) => (
        <div key={name} className={source ? 'plan-row wide' : 'plan-row'}>
          <span className="mono cut" title={name}>
            {source ? <SafeText text={name} /> : <del>{name}</del>}
          </span>
          {source ? (
            <>
              <span className="in pickf">
                <select
                  aria-label={t('volumeKind', { name })}
                  value={source.kind}
                  onChange={(event) => {
                    const kind = volumeKinds.find((each) => each === event.target.value);
                    // A size is not the name of anything.
                    if (kind) onEdit({ what: 'volume', name, source: sourceOf(kind, '') });
                  }}
                >
                  {volumeKinds.map((kind) => (
                    <option key={kind} value={kind}>
                      {kind}
                    </option>
                  ))}
                </select>
              </span>
              <input
                className="in mono"
                aria-label={t('volumeSource', { name })}
                placeholder={t(`volumeOf.${source.kind}`)}
                value={typedOf(source)}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) =>
                  onEdit({ what: 'volume', name, source: withTyped(source, event.target.value.trim()) })
                }
              />
            </>
          ) : (
            <span className="dim">{t('deleted')}</span>
          )}
          <IconButton
            label={t('volumeUndo', { name })}
            icon={Undo2}
            onClick={() => onEdit({ what: 'removeVolume', name })}
          />
        </div>
      ))}
      <AddItem
        label={t('volumeName')}
        placeholder={t('namePlaceholder')}
        known={known}
        set={t('set')}
        remove={t('takeAway')}
        onSet={(name) => onEdit({ what: 'volume', name, source: { kind: 'emptyDir' } })}
        onRemove={(name) => onEdit({ what: 'volume', name, source: null })}
      />
    </fieldset>
  );
}

/** Only what the field shows: a medium or readOnly that the YAML set stays. */
function withTyped(source: VolumeSource, typed: string): VolumeSource {
  if (source.kind === 'emptyDir') {
    const { sizeLimit: _old, ...rest } = source;
    return typed === '' ? rest : { ...rest, sizeLimit: typed };
  }
  return source.kind === 'hostPath' ? { ...source, path: typed } : { ...source, name: typed };
}
