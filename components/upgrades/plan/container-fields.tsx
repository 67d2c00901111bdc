'use client';

import { useState } from 'react';
import { imageFault } from '@/lib/domain/images';
import { parseQuantity } from '@/lib/domain/quantities';
import type { PatchEdit } from '@/lib/domain/upgrades/patch-edit';
import type { FormContainer } from '@/lib/domain/upgrades/patch-form';
import { useTranslations } from '@/lib/i18n/use-translations';
import { TextField } from '../../ui';
import { EnvFields } from './env-fields';
import { MountFields } from './mount-fields';
import type { ContainerNow } from './template-facts';

export type ContainerProps = {
  /** Undefined: no template has it, the patch adds it; or it is not known. */
  now: ContainerNow | undefined;
  isKnown: boolean;
  /** What the patch says of it. */
  asked: FormContainer;
  onEdit: (edit: PatchEdit) => void;
};

/** One container: an empty field leaves what is there. */
export function ContainerFields(props: ContainerProps & { volumes: readonly string[]; fixedImages: boolean }) {
  const { now, asked } = props;
  const t = useTranslations('upgrade-plan.change');
  return (
    <fieldset className="write-container">
      <legend>{t(asked.init ? 'initContainer' : 'container', { name: asked.name })}</legend>
      {now || !props.isKnown ? null : <p className="fhint">{t('containerAdded', { name: asked.name })}</p>}
      <ImageField {...props} />
      <Resources {...props} />
      <EnvFields {...props} />
      <MountFields {...props} />
    </fieldset>
  );
}

function ImageField({ now, asked, onEdit, fixedImages }: ContainerProps & { fixedImages: boolean }) {
  const t = useTranslations('upgrade-plan.change');
  const field = useTranslations('writes.template.field');
  const images = now?.images ?? [];
  // Where all have the same it stands there to be changed, and as long as it is, the patch says nothing of it.
  const there = images.length === 1 && !fixedImages ? (images[0] ?? '') : '';
  const [typed, setTyped] = useState<string>();
  const image = asked.image ?? '';
  const fault = image === '' ? undefined : imageFault(image);
  const error =
    image === ''
      ? undefined
      : fixedImages
        ? t('imageCheckpoint')
        : /\s/.test(image)
          ? field('imageSpace')
          : fault && field(`image.${fault}`);
  return (
    <TextField
      label={t('image')}
      mono
      value={asked.image ?? typed ?? there}
      placeholder={images.length > 1 ? t('imagesDiffer', { count: images.length }) : (images[0] ?? '')}
      error={error}
      hint={
        images.length > 1 || (image !== '' && images.length > 0)
          ? t('imageNow', { image: images.join(', ') })
          : undefined
      }
      onChange={(text) => {
        const wanted = text.trim();
        setTyped(text);
        const isSame = wanted === '' || wanted === there;
        onEdit({ what: 'image', container: asked.name, init: asked.init, image: isSame ? undefined : wanted });
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

const quantities = [
  { kind: 'requests', resource: 'cpu', label: 'requestsCpu' },
  { kind: 'limits', resource: 'cpu', label: 'limitsCpu' },
  { kind: 'requests', resource: 'memory', label: 'requestsMemory' },
  { kind: 'limits', resource: 'memory', label: 'limitsMemory' },
] as const;

function Resources({ now, isKnown, asked, onEdit }: ContainerProps) {
  const t = useTranslations('upgrade-plan.change');
  const field = useTranslations('writes.template.field');
  return (
    <div className="write-pair">
      {quantities.map(({ kind, resource, label }) => {
        const wanted = asked.resources.find((each) => each.kind === kind && each.resource === resource);
        const value = wanted?.value ?? '';
        const before = now?.resources.get(`${kind}.${resource}`) ?? [];
        const parsed = value === '' ? 0 : parseQuantity(value);
        return (
          <TextField
            key={label}
            label={t(label)}
            value={value}
            placeholder={wanted?.value === null ? t('deleted') : (before[0] ?? t(isKnown ? 'notSet' : 'notKnown'))}
            error={parsed === undefined || parsed < 0 ? field('quantity') : undefined}
            hint={value !== '' && before.length > 0 ? t('now', { value: before.join(', ') }) : undefined}
            onChange={(typed) =>
              onEdit({
                what: 'resource',
                container: asked.name,
                init: asked.init,
                kind,
                resource,
                value: typed.trim() === '' ? undefined : typed.trim(),
              })
            }
          />
        );
      })}
    </div>
  );
}
