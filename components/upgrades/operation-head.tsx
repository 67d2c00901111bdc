'use client';

import type { ReactNode } from 'react';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Exact, PageHead, SafeText } from '../common';
import type { HandedOver } from './plan/hand-over';
import { OperationActions } from './steer/operation-actions';
import type { UpgradeFormState } from './steer/use-form';
import { useTook } from './took';
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
  const { op } = upgrade;
  const t = useTranslations('upgrades.detail');
  const took = useTook(upgrade);
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
          {took === undefined ? null : ` · ${t('took', { duration: took })}`}
          {op.rollsBack === undefined ? null : (
            <>
              {' · '}
              {t('rollsBack')} <SafeText text={op.rollsBack} />
            </>
          )}
        </>
      }
      actions={<OperationActions upgrade={upgrade} goneAt={props.goneAt} form={props.form} again={props.again} />}
    />
  );
}
