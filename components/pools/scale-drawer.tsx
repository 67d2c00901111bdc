'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { kubectlScale } from '@/lib/domain/kubectl';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { objectHref } from '../shell';
import { Button, Command, Drawer, type Guard, GuardedButton, Note, NumberField } from '../ui';
import { isRefusal, recentActions } from '../writes/api';
import { DryRunLine } from '../writes/dry-run-line';
import { ProblemNote } from '../writes/problem-note';
import { useWriteGuard } from '../writes/use-write-guard';
import { WriteReceipt } from '../writes/write-receipt';
import type { FormProps } from './writes/form-props';
import { PoolGone } from './writes/pool-gone';
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
      <Drawer
        open
        onOpenChange={onClose}
        returnFocus={returnFocus}
        title={t('scale.title', { name: pool.name })}
        subtitle={subtitle}
        footer={
          <>
            <GuardedButton
              guard={submitGuard()}
              variant="primary"
              busy={scale.sending || scale.waiting}
              onClick={submit}
            >
              {t('scale.submit', { to: to === undefined ? '–' : f.number(to) })}
            </GuardedButton>
            <Button variant="quiet" onClick={onClose}>
              {receipt ? t('receipt.close') : t('cancel')}
            </Button>
            <span className="end sm dim">{t('scale.untouched')}</span>
          </>
        }
      >
        <PoolGone at={goneAt} />
        <form
          style={{ display: 'contents' }}
          onSubmit={(event) => {
            event.preventDefault();
            if (submitGuard().state === 'allowed' && !scale.sending && !scale.waiting) submit();
          }}
        >
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
        </form>
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
        {scale.error ? (
          <ProblemNote about="pool" error={scale.error} />
        ) : dryRun?.error ? (
          <ProblemNote about="pool" asked="dryRun" error={dryRun.error} onAsk={() => void dryRun.refetch()} />
        ) : null}
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
        {to === undefined ? null : (
          <Command
            label={t('scale.sameAs')}
            text={receipt?.changed ? receipt.kubectl : kubectlScale(pool.ns, pool.name, from, to)}
          />
        )}
        {dryRun ? <DryRunLine answer={dryRun.data} asking={dryRun.isFetching} /> : null}
      </Drawer>
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
    if (isRefusal(dryRun?.error)) return { state: 'wrong', reason: t('problem.dryFirst') };
    return guard;
  }
}
