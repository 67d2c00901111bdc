'use client';

import { SafeText } from '@/components/common';
import { Checkbox, RadioList, SelectField, TextField } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxAction } from '@/lib/contracts/sandbox-writes';
import { faultOf, type ImageEdit } from '@/lib/domain/sandbox-losses';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { chosenFinalizer, type DeadlineField, type Draft, sandboxFinalizer } from './draft';

type Props = { draft: Draft; onChange: (change: Partial<Draft>) => void };

/** What can be chosen of an action; nothing for most of them. */
export function ActionFields(
  props: Props & {
    action: SandboxAction;
    rows: readonly SandboxRow[];
    images: ImageEdit[] | undefined;
    /** Of one; undefined until it is read, or for several. */
    finalizers: readonly string[] | undefined;
  },
) {
  switch (props.action) {
    case 'setDeadline':
      return <DeadlineFields {...props} />;
    case 'changeImages':
      return <ImageFields {...props} />;
    case 'removeFinalizer':
      return <FinalizerField {...props} />;
    default:
      return null;
  }
}

const steps = ['900', '3600', '14400', '86400'] as const;

function DeadlineFields({ draft, rows, onChange }: Props & { rows: readonly SandboxRow[] }) {
  const t = useTranslations('sandboxes.actions.deadline');
  const f = useFormats();
  const now = useNow();
  const fields: { value: DeadlineField; label: string }[] = [
    { value: 'shutdownTime', label: t('shutdownTime') },
    { value: 'pauseTime', label: t('pauseTime') },
  ];
  const [only] = rows.length === 1 ? rows : [];
  const at = only && (draft.field === 'shutdownTime' ? only.shutdownAt : only.pauseAt);
  return (
    <>
      <SelectField label={t('which')} value={draft.field} options={fields} onChange={(field) => onChange({ field })} />
      {only ? (
        <p className="sm mut">
          {at === undefined
            ? t('nowNone')
            : t('nowAt', { at: f.dateTime(at), left: at > now ? f.coarse(at - now) : 'none' })}
        </p>
      ) : null}
      <RadioList
        label={t('how')}
        value={draft.how}
        onChange={(how) => onChange({ how })}
        options={[
          { value: 'add', label: t('add'), hint: t('addHint') },
          { value: 'at', label: t('at') },
          {
            value: 'remove',
            label: t('remove'),
            hint: draft.field === 'shutdownTime' ? t('removeShutdown') : t('removePause'),
          },
        ]}
      />
      {draft.how === 'add' ? (
        <SelectField
          label={t('by')}
          value={draft.addSeconds}
          options={steps.map((value) => ({ value, label: f.coarse(Number(value) * 1000) }))}
          onChange={(addSeconds) => onChange({ addSeconds })}
        />
      ) : null}
      {draft.how === 'at' ? (
        <TextField
          type="datetime-local"
          label={t('time', { zone: f.zoneName(now) })}
          value={draft.at}
          onChange={(typed) => onChange({ at: typed })}
          className="write-short"
          data-first
        />
      ) : null}
    </>
  );
}

function ImageFields({ draft, images, onChange }: Props & { images: ImageEdit[] | undefined }) {
  const t = useTranslations('sandboxes.actions.image');
  const tf = useTranslations('writes.template.field');
  if (!images) return <p className="sm mut">{t('reading')}</p>;
  const edit = (index: number, to: string) =>
    onChange({ images: images.map((each, i) => (i === index ? { ...each, to } : each)) });
  return (
    <>
      {images.map((each, index) => {
        const changed = each.to.trim() !== each.image;
        const fault = changed ? faultOf(each) : undefined;
        return (
          <TextField
            key={`${each.init}/${each.container}`}
            label={t(each.init ? 'init' : 'container', { name: each.container })}
            value={each.to}
            onChange={(to) => edit(index, to)}
            error={fault && tf(`image.${fault}`)}
            hint={changed ? <span className="act-image">{t('from', { image: each.image })}</span> : undefined}
            mono
            {...(changed ? { 'data-first': true } : {})}
          />
        );
      })}
      <div className="row">
        <Checkbox
          label={t('thenDeletePod')}
          checked={draft.thenDeletePod}
          onChange={(thenDeletePod) => onChange({ thenDeletePod })}
        />
        <span aria-hidden="true">{t('thenDeletePod')}</span>
      </div>
      <p className="fhint">{t('thenHint')}</p>
    </>
  );
}

function FinalizerField({ draft, finalizers, onChange }: Props & { finalizers: readonly string[] | undefined }) {
  const t = useTranslations('sandboxes.actions.finalizer');
  const known = finalizers ?? [sandboxFinalizer];
  if (known.length === 0) return <p className="sm mut">{t('none')}</p>;
  const value = chosenFinalizer(draft, finalizers) ?? '';
  return (
    <>
      <SelectField
        label={t('label')}
        value={value}
        options={[
          ...(value === '' ? [{ value: '', label: t('choose') }] : []),
          ...known.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(finalizer) => onChange({ finalizer })}
      />
      {value === '' || value === sandboxFinalizer ? null : (
        <p className="sm mut">
          <SafeText text={t('foreign', { name: value })} />
        </p>
      )}
    </>
  );
}
