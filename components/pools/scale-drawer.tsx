'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { kubectlScale } from '@/lib/domain/kubectl';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { objectHref } from '../shell';
import { type Guard, Note, NumberField } from '../ui';
import { recentActions } from '../writes/api';
import { useWriteGuard } from '../writes/use-write-guard';
import { WriteFrame } from '../writes/write-frame';
import { WriteReceipt } from '../writes/write-receipt';
import type { FormProps } from './writes/form-props';
import { ScaleConfirm } from './writes/scale-confirm';
import { ClusterAsk, ScaleFacts } from './writes/scale-facts';
import { ScaleMoved, ScaleOthers } from './writes/scale-notes';
import { needsConfirmation } from './writes/scale-number';
import { ScaleSlider } from './writes/scale-slider';
import { usePoolStats } from './writes/use-pool-stats';
import { useScale } from './writes/use-scale';

/** Changes how many unclaimed sandboxes a pool keeps. `pool` is the live row: it may change while the form is open. */
export function ScaleDrawer({ pool, goneAt, onClose, returnFocus }: FormProps) {
  const t = useTranslations('writes');
  const f = useFormats();
  const cluster = useLiveStatus().freshness?.cluster.name ?? '';
  const guard = useWriteGuard('scalePool', pool.ns, goneAt);
  const scale = useScale(pool, guard.state === 'allowed');
  const { from, to, typed, movedTo, receipt, observation, dryRun } = scale;
  const actions = useQuery(recentActions()).data ?? [];
  const stats = usePoolStats(pool, goneAt);
  const [confirming, setConfirming] = useState(false);

  const confirmation = to === undefined ? undefined : needsConfirmation(from, to);
  const subtitle = t('scale.subtitle', { namespace: pool.ns, cluster });
  const change = to === undefined || to === from ? undefined : to - from;
  const submit = () => {
    if (to === undefined) return;
    if (confirmation) setConfirming(true);
    else scale.send(to);
  };

  return (
    <>
      <WriteFrame
        about="pool"
        overlay="drawer"
        title={t('scale.title', { name: pool.name })}
        subtitle={subtitle}
        gone={{ at: goneAt, text: t('gone.text') }}
        onClose={onClose}
        returnFocus={returnFocus}
        close={receipt ? t('receipt.close') : t('cancel')}
        aside={t('scale.untouched')}
        submit={{
          label: t('scale.submit', { to: to === undefined ? '–' : f.number(to) }),
          guard: submitGuard(),
          busy: scale.sending || scale.waiting,
          said: to === undefined || to === from,
          onSubmit: submit,
        }}
        fields={
          <>
            <div className="row" style={{ gap: 16, alignItems: 'flex-end' }}>
              <NumberField
                label={t('scale.wanted')}
                value={typed}
                onChange={scale.type}
                error={to === undefined ? t('scale.notWhole') : undefined}
                autoFocus
              />
              {to === from && !receipt && scale.applied === undefined ? (
                <div className="dim" style={{ paddingBottom: 7 }}>
                  {t('scale.already', { to: f.number(to) })}
                </div>
              ) : null}
              {change === undefined || to === undefined ? null : (
                <div className="mut" style={{ paddingBottom: 7 }}>
                  {t('scale.change', { from: f.number(from), to: f.number(to) })}{' '}
                  <span className="dim">
                    {t('scale.difference', { difference: `${change > 0 ? '+' : '−'}${f.number(Math.abs(change))}` })}
                  </span>
                </div>
              )}
            </div>
            <ScaleSlider from={from} to={to ?? from} onChange={(value) => scale.type(String(value))} />
          </>
        }
        receipt={
          <>
            {receipt ? (
              <WriteReceipt
                key={receipt.id}
                receipt={receipt}
                observation={observation}
                title={receiptTitle()}
                observed={t('receipt.observedScale', { desired: f.number(pool.desired), id: receipt.id })}
                shown={f.number(pool.desired)}
                link={{ href: objectHref('pools', pool.ns, pool.name), text: t('receipt.pool') }}
              />
            ) : null}
            {scale.applied === undefined ? null : (
              <Note tone="unknown" title={t('problem.applied')} live>
                <p>{t('problem.appliedBody', { to: f.number(scale.applied) })}</p>
              </Note>
            )}
          </>
        }
        error={scale.error}
        dryRun={dryRun}
        kubectl={
          to === undefined ? undefined : receipt?.changed ? receipt.kubectl : kubectlScale(pool.ns, pool.name, from, to)
        }
      >
        {scale.sending ? null : movedTo === undefined ? (
          <ScaleOthers pool={pool} actions={actions} receipt={receipt} />
        ) : (
          <ScaleMoved from={from} to={movedTo} typed={typed} pool={pool} actions={actions} onTake={scale.takeOver} />
        )}
        <ScaleFacts pool={pool} stats={stats} to={to ?? from} />
        {change !== undefined && change > 0 ? <ClusterAsk pool={pool} added={change} /> : null}
        {change !== undefined && change < 0 ? (
          <p className="sm mut">{t('scale.down', { count: Math.abs(change) })}</p>
        ) : null}
      </WriteFrame>
      {to !== undefined && confirmation ? (
        <ScaleConfirm
          open={confirming && goneAt === undefined}
          kind={confirmation}
          pool={pool}
          stats={stats}
          from={from}
          to={to}
          subtitle={subtitle}
          onCancel={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            scale.send(to);
          }}
        />
      ) : null}
    </>
  );

  function receiptTitle(): string {
    const numbers = { name: pool.name, from: f.number(Number(receipt?.before)), to: f.number(Number(receipt?.after)) };
    return receipt?.changed ? t('receipt.scaled', numbers) : t('receipt.scaleUnchanged', numbers);
  }

  function submitGuard(): Guard {
    if (guard.state !== 'allowed') return guard;
    if (to === undefined) return { state: 'wrong', reason: t('scale.notWhole') };
    if (movedTo !== undefined) return { state: 'wrong', reason: t('moved.first', { to: f.number(movedTo) }) };
    if (to === from) return { state: 'wrong', reason: t('scale.unchanged') };
    return guard;
  }
}
