'use client';

import { useState } from 'react';
import type { PoolRow } from '@/lib/contracts/rows';
import { kubectlScale } from '@/lib/domain/kubectl';
import type { PoolStats } from '@/lib/domain/pools';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button, Command, Dialog, TextField } from '../../ui';
import { Consequences } from '../../writes/consequences';

/** Asked before a pool is emptied, or before a number that looks like a slip: what happens, and for a slip the number again. */
export function ScaleConfirm(props: {
  open: boolean;
  kind: 'zero' | 'jump';
  pool: PoolRow;
  stats: PoolStats;
  from: number;
  to: number;
  subtitle: string;
  onCancel: () => void;
  onConfirm: () => void;
}) {
  const { open, kind, pool, stats, from, to, onCancel, onConfirm } = props;
  const t = useTranslations('writes.confirm');
  const f = useFormats();
  const [typed, setTyped] = useState('');
  const ready = kind === 'zero' || typed.trim() === String(to);
  const numbers = { name: pool.name, from: f.number(from), to: f.number(to) };
  const close = () => {
    setTyped('');
    onCancel();
  };
  const confirm = () => {
    setTyped('');
    onConfirm();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) close();
      }}
      title={kind === 'zero' ? t('zeroTitle', numbers) : t('jumpTitle', numbers)}
      subtitle={props.subtitle}
      footer={
        <>
          <Button variant="quiet" onClick={close}>
            {t('cancel')}
          </Button>
          <Button variant={to < from ? 'danger' : 'primary'} aria-disabled={!ready} onClick={confirm}>
            {t('confirm', numbers)}
          </Button>
        </>
      }
    >
      <Consequences items={consequences()} />
      <Command text={kubectlScale(pool.ns, pool.name, from, to)} />
      {kind === 'jump' ? (
        <TextField label={t('type', { to: String(to) })} value={typed} onChange={setTyped} inputMode="numeric" />
      ) : null}
    </Dialog>
  );

  function consequences(): string[] {
    const sessions = t('sessions', { count: stats.claimed });
    if (kind === 'zero') {
      const rate = pool.claimsPerMin;
      return [
        t('zeroIdle', { count: stats.available + stats.creating }),
        t('zeroClaims'),
        ...(rate ? [t('zeroRate', { rate: f.decimal(rate) })] : []),
        sessions,
      ];
    }
    const factor = f.decimal(to / Math.max(from, 1));
    return [t('difference', { difference: f.number(Math.abs(to - from)), factor }), t('noWebhook'), sessions];
  }
}
