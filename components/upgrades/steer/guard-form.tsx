'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type GuardLimits, guardLimits, rateCountsFrom } from '@/lib/contracts/upgrades';
import { reachedLimit } from '@/lib/domain/upgrades/guard-limits';
import { isActive } from '@/lib/domain/upgrades/view';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { Button, Drawer, type Guard, GuardedButton, Note, parseWhole, Skeleton, TextField } from '../../ui';
import { Consequences } from '../../writes/consequences';
import { ProblemNote } from '../../writes/problem-note';
import { useWriteGuard } from '../../writes/use-write-guard';
import { sendGuard, upgradeHistory } from '../queries';
import type { FormProps } from './form-props';
import { GuardState } from './guard-state';

/** A limit as typed; NaN for what is no such number, undefined for nothing. */
const readLimit = (text: string, max: number) =>
  text.trim() === '' ? undefined : (parseWhole(text.trim(), 1, max) ?? Number.NaN);
const written = (value: number | undefined) => (value === undefined ? '' : String(value));

/** When the console shall pause this operation by itself. Stored by the console; the cluster knows nothing of it. */
export function GuardForm({ upgrade: { op }, goneAt, onClose }: FormProps) {
  const t = useTranslations('upgrades.steer.guard');
  const tw = useTranslations('writes');
  const cluster = useLiveStatus().freshness?.cluster.name ?? '';
  const queries = useQueryClient();
  const history = useQuery(upgradeHistory(op));
  const guard = history.data?.guard;
  const rights = useWriteGuard('steerUpgrade', op.ns, goneAt);
  const [draft, setDraft] = useState<{ failures?: string; rate?: string }>({});
  const typed = {
    failures: draft.failures ?? written(guard?.limits.failures),
    rate: draft.rate ?? written(guard?.limits.ratePercent),
  };
  const read = { failures: readLimit(typed.failures, 999_999), ratePercent: readLimit(typed.rate, 100) };
  const limits = guardLimits.safeParse(read).data;
  const send = useMutation({
    mutationFn: (wanted: GuardLimits | null) => sendGuard(op, { uid: op.uid, limits: wanted }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['upgrades', 'history', op.uid] });
      setDraft({});
    },
  });
  const reached = limits && reachedLimit(limits, op);
  const may = guardOf();
  const why = may.state === 'wrong' ? may.reason : undefined;
  const whyId = useId();
  const submit = () => {
    if (may.state === 'allowed' && limits && !send.isPending) send.mutate(limits);
  };
  return (
    <Drawer
      open
      onOpenChange={onClose}
      title={t('title', { name: op.name })}
      subtitle={`SandboxUpdateOps ${op.name} · ${op.ns} · ${cluster}`}
      footer={
        <>
          <GuardedButton
            guard={may}
            variant="primary"
            busy={send.isPending}
            onClick={submit}
            aria-describedby={why ? whyId : undefined}
          >
            {guard ? t('change') : t('set')}
          </GuardedButton>
          {guard ? (
            <GuardedButton guard={rights} busy={send.isPending} onClick={() => send.mutate(null)}>
              {t('cancel')}
            </GuardedButton>
          ) : null}
          <Button variant="quiet" onClick={onClose}>
            {tw('receipt.close')}
          </Button>
          {why ? (
            <p id={whyId} className="write-why sm mut">
              {why}
            </p>
          ) : null}
        </>
      }
    >
      {history.error ? (
        <ProblemNote about="upgrade" asked="reading" error={history.error} onAsk={() => void history.refetch()} />
      ) : null}
      {guard === undefined ? history.error ? null : <Skeleton width={240} /> : <GuardState guard={guard} />}
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="up-pair">
          <TextField
            label={t('failures')}
            placeholder={t('off')}
            inputMode="numeric"
            error={Number.isNaN(read.failures) ? t('failuresWrong') : undefined}
            value={typed.failures}
            onChange={(failures) => setDraft({ ...draft, failures })}
            data-first
          />
          <TextField
            label={t('rate')}
            placeholder={t('off')}
            inputMode="numeric"
            hint={t('rateHint', { count: rateCountsFrom })}
            error={Number.isNaN(read.ratePercent) ? t('rateWrong') : undefined}
            value={typed.rate}
            onChange={(rate) => setDraft({ ...draft, rate })}
          />
        </div>
        {/* A form of several fields is sent by Enter only when it has a button of its own. */}
        <button type="submit" hidden />
      </form>
      <Consequences items={[t('does'), t('as'), t('stays')]} />
      {reached && !op.paused ? <Note tone="attention" title={t('atOnce', reached)} /> : null}
      {send.error ? <ProblemNote about="upgrade" error={send.error} /> : null}
    </Drawer>
  );

  function guardOf(): Guard {
    if (rights.state !== 'allowed') return rights;
    if (!isActive(op)) return { state: 'wrong', reason: t('over') };
    if (!limits) return { state: 'wrong', reason: t('wrong') };
    const same =
      guard?.state === 'armed' &&
      guard.limits.failures === limits.failures &&
      guard.limits.ratePercent === limits.ratePercent;
    return same ? { state: 'wrong', reason: t('already') } : rights;
  }
}
