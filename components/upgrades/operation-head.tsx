'use client';

import type { ReactNode } from 'react';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Exact, PageHead, SafeText } from '../common';
import type { HandedOver } from './plan/hand-over';
import { OperationActions } from './steer/operation-actions';
import type { UpgradeFormState } from './steer/use-form';
import { UpgradePhaseBadge } from './upgrade-phase';

/** Name, phase, since when, and what can be done. */
export function OperationHead(props: {
  upgrade: Upgrade;
  crumb: ReactNode;
  goneAt: number | undefined;
  form: UpgradeFormState;
  again: HandedOver | undefined;
}) {
  const { upgrade } = props;
  const { op, view } = upgrade;
  const t = useTranslations('upgrades.detail');
  const f = useFormats();
  return (
    <PageHead
      crumb={props.crumb}
      title={
        <span className="inline-flex flex-wrap items-center gap-x-[10px]">
          <SafeText text={op.name} />
          <span className="inline-flex text-ui font-normal tracking-normal">
            <UpgradePhaseBadge upgrade={upgrade} boxed />
          </span>
        </span>
      }
      sub={
        <>
          {op.ns} · {op.strategy}
          {op.created === undefined ? null : (
            <>
              {' · '}
              {t('started')} <Exact at={op.created} />
            </>
          )}
          {view.elapsedMs === undefined ? null : ` · ${t('took', { duration: f.coarse(view.elapsedMs) })}`}
        </>
      }
      actions={<OperationActions upgrade={upgrade} goneAt={props.goneAt} form={props.form} again={props.again} />}
    />
  );
}
