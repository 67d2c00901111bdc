'use client';

import { useState } from 'react';
import { kubectlDelete } from '@/lib/domain/kubectl';
import { deletionConsequences } from '@/lib/domain/upgrades/ways-out';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow, useRow } from '@/lib/live';
import { type Guard, Note, TextField } from '../../ui';
import { useWriteGuard } from '../../writes/use-write-guard';
import { sendDeletion } from '../queries';
import { DeletionFates } from './deletion-fates';
import type { FormProps } from './form-props';
import { SteerFrame } from './steer-frame';
import { useOperationWrite } from './use-operation-write';

/** Deletes an operation: there is no abort, so this says by name what becomes of each sandbox (domain 6.6). */
export function DeleteForm(props: FormProps) {
  const t = useTranslations('upgrades.steer.delete');
  const { op, view } = props.upgrade;
  const [uid] = useState(op.uid);
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const live = useRow('sandboxupdateops', uid);
  const rights = useWriteGuard('deleteUpgrade', op.ns, props.goneAt);
  const said = reason.trim();
  const write = useOperationWrite({
    op,
    kind: 'delete-upgrade',
    request: { uid, ...(said === '' ? {} : { reason: said }) },
    mayAsk: rights.state === 'allowed',
    send: (request, signal) => sendDeletion(op, request, signal),
    seen: () => live === undefined || live.deleting !== undefined,
  });
  // What was there when it was sent: afterwards the rows forget the operation.
  const clock = useNow(5_000);
  const [fates, setFates] = useState(() => deletionConsequences(op, view.sandboxes, clock));
  const now = deletionConsequences(op, view.sandboxes, clock);
  if (!write.done && !write.sending && JSON.stringify(now) !== JSON.stringify(fates)) setFates(now);
  const touched = new Set(
    [fates.inFlight, fates.refused, fates.heldUp, fates.resuming, fates.resumed, fates.failed, fates.touched]
      .flat()
      .map((sandbox) => sandbox.uid),
  );
  const sessions = view.sandboxes.filter(({ row }) => touched.has(row.uid) && row.claimed).length;
  const holder = view.holder && view.holder.uid !== uid ? view.holder.name : undefined;
  return (
    <SteerFrame
      {...props}
      write={write}
      grave
      guard={guardOf()}
      title={t('title', { name: op.name })}
      submit={t('submit')}
      kubectl={kubectlDelete(op.ns, 'suo', op.name)}
      receiptTitle={t('done', { name: op.name })}
      observed={
        live ? t('observedHeld', { id: write.receipt?.id ?? '' }) : t('observed', { id: write.receipt?.id ?? '' })
      }
      shown={op.phase}
      // It is gone a moment after it is marked, or much later: what is observed is told anew.
      stateKey={live ? 'marked' : 'gone'}
      onSubmit={write.send}
    >
      <DeletionFates fates={fates} waiting={view.waiting} ns={op.ns} />
      {holder ? <Note tone="attention" title={t('holder', { name: holder })} /> : null}
      {write.done ? null : (
        <>
          <TextField label={t('reason')} value={reason} onChange={setReason} maxLength={500} />
          {sessions > 0 ? (
            <TextField
              label={t('type', { name: op.name, count: sessions })}
              value={typed}
              onChange={setTyped}
              data-first
              mono
            />
          ) : null}
        </>
      )}
    </SteerFrame>
  );

  function guardOf(): Guard {
    if (rights.state !== 'allowed') return rights;
    if (op.deleting !== undefined) return { state: 'wrong', reason: t('already') };
    if (sessions > 0 && typed.trim() !== op.name) return { state: 'wrong', reason: t('typeFirst', { name: op.name }) };
    return rights;
  }
}
