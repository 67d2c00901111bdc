'use client';

import type { ReactNode } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { objectHref } from '../../shell/navigation';
import { type Guard, Note } from '../../ui';
import { WriteFrame } from '../../writes/write-frame';
import { WriteReceipt } from '../../writes/write-receipt';
import type { FormProps } from './form-props';
import type { OperationWrite } from './use-operation-write';

/** What every write of an operation has around its own fields. */
export function SteerFrame(
  props: FormProps & {
    write: OperationWrite;
    title: string;
    submit: string;
    /** May it be sent as it stands? */
    guard: Guard;
    /** The reason of the guard stands in the form already. */
    said?: boolean;
    /** Ends sessions, or is hard to undo. */
    grave?: boolean;
    /** The line that does the same, until the server has given its own; absent while there is nothing right to send. */
    kubectl: string | undefined;
    receiptTitle: string;
    observed: ReactNode;
    /** When what was observed goes on to something else, the receipt tells it anew. */
    stateKey?: string;
    shown: string;
    onSubmit: () => void;
    children: ReactNode;
  },
) {
  const { write, grave = false, said = false } = props;
  const { op } = props.upgrade;
  const t = useTranslations('upgrades.steer');
  const tw = useTranslations('writes');
  const cluster = useLiveStatus().freshness?.cluster.name ?? '';
  const { receipt, dryRun } = write;
  return (
    <WriteFrame
      about="upgrade"
      overlay={grave ? 'dialog' : 'drawer'}
      title={props.title}
      subtitle={`SandboxUpdateOps ${op.name} · ${op.ns} · ${cluster}`}
      gone={{ at: write.done ? undefined : props.goneAt, text: t('gone') }}
      onClose={props.onClose}
      close={write.done ? tw('receipt.close') : tw('cancel')}
      submit={
        write.done
          ? undefined
          : {
              label: props.submit,
              guard: props.guard,
              busy: write.sending || write.waiting,
              danger: grave,
              said,
              onSubmit: props.onSubmit,
            }
      }
      fields={props.children}
      receipt={
        <>
          {receipt ? (
            <WriteReceipt
              key={`${receipt.id}${props.stateKey ?? ''}`}
              receipt={receipt}
              observation={write.observation}
              title={props.receiptTitle}
              observed={props.observed}
              shown={props.shown}
              link={
                grave
                  ? { href: '/upgrades', text: t('all') }
                  : { href: objectHref('upgrades', op.ns, op.name), text: t('open') }
              }
            />
          ) : null}
          {write.applied ? (
            <Note tone="unknown" title={tw('problem.applied')} live>
              <p>{t('applied')}</p>
            </Note>
          ) : null}
        </>
      }
      error={write.error}
      dryRun={dryRun}
      kubectl={(receipt?.changed ? receipt.kubectl : dryRun?.data?.kubectl) ?? props.kubectl}
    />
  );
}
