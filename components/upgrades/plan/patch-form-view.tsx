'use client';

import { useMemo } from 'react';
import type { TemplateGroup } from '@/lib/contracts/upgrade-preview';
import { editPatch, type PatchEdit } from '@/lib/domain/upgrades/patch-edit';
import { type FormContainer, readForm } from '@/lib/domain/upgrades/patch-form';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { ContainerFields } from './container-fields';
import { containersNow, volumesNow } from './template-facts';
import { VolumeFields } from './volume-fields';

/** What a patch says of containers and volumes, as fields beside what the templates have now. The rest stays in the YAML. */
export function PatchFormView(props: {
  patch: Record<string, unknown>;
  groups: readonly TemplateGroup[];
  /** False: what the templates have now is not known. */
  known: boolean;
  /** CheckpointRestore: the webhook refuses images. */
  fixedImages: boolean;
  onChange: (patch: Record<string, unknown>) => void;
}) {
  const { patch, groups, fixedImages, onChange } = props;
  const t = useTranslations('upgrade-plan.change');
  const f = useFormats();
  const form = useMemo(() => readForm(patch), [patch]);
  const now = useMemo(() => containersNow(groups), [groups]);
  const volumes = useMemo(() => volumesNow(groups), [groups]);
  const edit = (change: PatchEdit) => onChange(editPatch(patch, change));
  const there = new Map(now.map((container) => [keyOf(container), container]));
  const asked = new Map(form.containers.map((container) => [keyOf(container), container]));
  const shown = [...there.values(), ...form.containers.filter((container) => !there.has(keyOf(container)))];
  const mountable = [...new Set([...volumes, ...form.volumes.flatMap(({ name, source }) => (source ? [name] : []))])];
  return (
    <>
      {shown.length === 0 ? <p className="mut">{t(props.known ? 'noContainers' : 'notKnownNow')}</p> : null}
      {shown.map(({ name, init }) => {
        const key = keyOf({ name, init });
        return (
          <ContainerFields
            key={key}
            now={there.get(key)}
            isKnown={props.known}
            asked={asked.get(key) ?? untouched(name, init)}
            volumes={mountable}
            fixedImages={fixedImages}
            onEdit={edit}
          />
        );
      })}
      {shown.length > 0 ? <VolumeFields asked={form.volumes} known={volumes} onEdit={edit} /> : null}
      {form.beyondForm.length > 0 ? (
        <p className="fhint">{t('otherFields', { fields: f.list(form.beyondForm) })}</p>
      ) : null}
    </>
  );
}

const keyOf = ({ name, init }: Pick<FormContainer, 'name' | 'init'>) => `${init ? 'init/' : ''}${name}`;
const untouched = (name: string, init: boolean): FormContainer => ({ name, init, env: [], resources: [], mounts: [] });
