'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { objectHref } from '../../shell/navigation';
import { Segmented, SelectField } from '../../ui';
import { KeepList } from './keep-list';
import { LabelRows } from './label-rows';
import { LeftOutSummary } from './left-out';
import { LockNote } from './lock-note';
import { PlanProblems } from './plan-problems';
import type { Planning } from './planning';
import { poolChoices } from './pool-choices';
import { StepFrame } from './step-frame';
import { TargetLists } from './target-lists';

/** Which sandboxes: by pool, by labels, or those that were chosen one by one; and what that comes to right now. */
export function TargetsStep({ planning }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.targets');
  const { form, edit, preview } = planning;
  const chosen = form.sandboxes.length;
  return (
    <StepFrame planning={planning} step="targets">
      <section className="plan-pane" aria-label={t('which')}>
        <NamespaceField planning={planning} />
        <div className="fld">
          <span className="lab">{t('by')}</span>
          <Segmented
            label={t('by')}
            value={form.targetsBy}
            options={[
              { value: 'pool', label: t('byPool') },
              { value: 'labels', label: t('byLabels') },
              { value: 'selection', label: t('bySelection', { count: chosen }) },
            ]}
            onChange={(targetsBy) => edit({ targetsBy })}
          />
        </div>
        {form.targetsBy === 'pool' ? <PoolField planning={planning} /> : null}
        {form.targetsBy === 'labels' ? <LabelRows planning={planning} /> : null}
        {form.targetsBy === 'selection' ? <Selection planning={planning} /> : null}
        <LockNote planning={planning} />
        <PlanProblems planning={planning} step="targets" />
        <KeepList planning={planning} />
        <LeftOutSummary planning={planning} />
      </section>
      <TargetLists namespace={form.namespace} preview={preview} />
    </StepFrame>
  );
}

function NamespaceField({ planning: { form, edit, faultOf } }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.targets');
  const namespaces = useRows('namespaces');
  const pools = useRows('sandboxsets');
  const names = useMemo(() => {
    // Where namespaces may not be listed, those of the objects are what is known.
    const known = new Set([...namespaces.map(({ name }) => name), ...pools.map(({ ns }) => ns), form.namespace]);
    known.delete('');
    return [...known].sort();
  }, [namespaces, pools, form.namespace]);
  return (
    <SelectField
      label={t('namespace')}
      hint={t('namespaceHint')}
      error={form.edited ? faultOf('namespace') : undefined}
      value={form.namespace}
      options={[{ value: '', label: t('choose') }, ...names.map((name) => ({ value: name, label: name }))]}
      // A pool and chosen sandboxes are of one namespace.
      onChange={(namespace) => edit({ namespace, pool: '', sandboxes: [], origin: undefined })}
    />
  );
}

function PoolField({ planning: { form, edit, faultOf } }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.targets');
  const pools = useRows('sandboxsets');
  const sandboxes = useRows('sandboxes');
  const choices = useMemo(
    () => poolChoices(form.namespace, form.pool, pools, sandboxes),
    [form.namespace, form.pool, pools, sandboxes],
  );
  return (
    <SelectField
      label={t('pool')}
      hint={t('poolHint')}
      error={form.namespace ? faultOf('pool') : undefined}
      value={form.pool}
      options={[
        {
          value: '',
          label: form.namespace === '' ? t('namespaceFirst') : t(choices.length > 0 ? 'choose' : 'noPools'),
        },
        ...choices.map(({ name, claimed }) => ({ value: name, label: t('poolOption', { name, claimed }) })),
      ]}
      onChange={(pool) => edit({ pool })}
    />
  );
}

function Selection({ planning: { form, edit, faultOf } }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.targets');
  const f = useFormats();
  const error = faultOf('selection');
  const { origin } = form;
  const isChosenElsewhere = form.sandboxes.length > 0 && origin !== undefined;
  const from = isChosenElsewhere && origin.as !== 'seen' ? origin : undefined;
  const href = from
    ? objectHref('upgrades', form.namespace, from.operation)
    : form.namespace
      ? `/sandboxes?namespace=${encodeURIComponent(form.namespace)}`
      : '/sandboxes';
  return (
    <div className="fld">
      {error ? <p className="ferr">{error}</p> : <p>{t('chosen', { count: form.sandboxes.length })}</p>}
      <p className="fhint">
        {t.rich(`chosenBy.${isChosenElsewhere ? origin.as : 'hand'}`, {
          operation: from?.operation ?? '',
          reason: from?.as === 'troubled' ? from.reason : '',
          a: (chunk) => <Link href={href}>{chunk}</Link>,
        })}{' '}
        {t('selectionHint', { name: form.name })}
      </p>
      {form.sandboxes.length > 0 ? (
        <details className="plan-more">
          <summary>{t('chosenList')}</summary>
          <p className="mono">{f.list(form.sandboxes.slice(0, 200).map(({ name }) => name))}</p>
          {form.sandboxes.length > 200 ? <p>{t('chosenMore', { count: form.sandboxes.length - 200 })}</p> : null}
          <button type="button" className="btn sm" onClick={() => edit({ sandboxes: [], origin: undefined })}>
            {t('chosenClear')}
          </button>
        </details>
      ) : null}
    </div>
  );
}
