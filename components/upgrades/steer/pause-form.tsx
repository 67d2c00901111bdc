'use client';

import { useState } from 'react';
import { kubectlJsonPatch } from '@/lib/domain/kubectl';
import { startable } from '@/lib/domain/upgrades/batches';
import { isActive } from '@/lib/domain/upgrades/view';
import { useTranslations } from '@/lib/i18n/use-translations';
import { type Guard, Note } from '../../ui';
import { Consequences } from '../../writes/consequences';
import { useWriteGuard } from '../../writes/use-write-guard';
import { sendSetting } from '../queries';
import type { FormProps } from './form-props';
import { SteerFrame } from './steer-frame';
import { useOperationWrite } from './use-operation-write';

/** Sets spec.paused: nothing new starts, or starts again. What is in flight takes no notice. */
export function PauseForm({ to, ...props }: FormProps & { to: boolean }) {
  const t = useTranslations(to ? 'upgrades.steer.pause' : 'upgrades.steer.continue');
  const { op, view } = props.upgrade;
  // The form was made for this object: one that takes its name later is refused by the server.
  const [uid] = useState(op.uid);
  const rights = useWriteGuard('steerUpgrade', op.ns, props.goneAt);
  const already = (op.paused ?? false) === to;
  const write = useOperationWrite({
    op,
    kind: to ? 'pause-upgrade' : 'continue-upgrade',
    request: already ? undefined : { uid, change: { what: 'paused' as const, from: !to, to } },
    mayAsk: rights.state === 'allowed',
    send: (request, signal) => sendSetting(op, request, signal),
    seen: () => op.uid === uid && (op.paused ?? false) === to,
  });
  const guard: Guard =
    rights.state !== 'allowed'
      ? rights
      : already && !write.done
        ? { state: 'wrong', reason: t('already') }
        : !isActive(op)
          ? { state: 'wrong', reason: t('over') }
          : rights;
  const between = view.sandboxes.filter(({ stage }) => stage === 'Resuming').length;
  const starts = startable(view.limit, view);
  return (
    <SteerFrame
      {...props}
      write={write}
      guard={guard}
      title={t('title', { name: op.name })}
      submit={t('submit')}
      kubectl={kubectlJsonPatch(op.ns, 'suo', op.name, [
        { op: 'test', path: '/metadata/uid', value: uid },
        { op: 'add', path: '/spec/paused', value: to },
      ])}
      receiptTitle={t('done', { name: op.name })}
      observed={t('observed', { id: write.receipt?.id ?? '' })}
      shown={op.paused ? 'spec.paused: true' : 'spec.paused: false'}
      onSubmit={write.send}
    >
      {write.done ? (
        isActive(op) ? null : (
          <Note tone="attention" title={t('tooLate')} live />
        )
      ) : (
        <Consequences
          items={[
            t('inFlight', { count: view.updating }),
            t('waiting', { count: view.waiting, starts }),
            ...(between > 0 ? [t('between', { count: between })] : []),
            t('lock', { ns: op.ns }),
          ]}
        />
      )}
    </SteerFrame>
  );
}
