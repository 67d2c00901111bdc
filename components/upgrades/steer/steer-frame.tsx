'use client';

import type { ReactNode } from 'react';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLiveStatus } from '@/lib/live';
import { objectHref } from '../../shell/navigation';
import { Button, Command, Dialog, Drawer, type Guard, GuardedButton, Note } from '../../ui';
import { isRefusal } from '../../writes/api';
import { DryRunLine } from '../../writes/dry-run-line';
import { ProblemNote } from '../../writes/problem-note';
import { WriteReceipt } from '../../writes/write-receipt';
import type { FormProps } from './form-props';
import type { OperationWrite } from './use-operation-write';

/** What every write of an operation shows around its own fields: consequence, line of kubectl, dry run, receipt. */
export function SteerFrame(
  props: FormProps & {
    write: OperationWrite;
    title: string;
    submit: string;
    /** May it be sent as it stands? */
    guard: Guard;
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
  const { upgrade, goneAt, write, grave, onClose } = props;
  const { op } = upgrade;
  const t = useTranslations('upgrades.steer');
  const tw = useTranslations('writes');
  const f = useFormats();
  const cluster = useLiveStatus().freshness?.cluster.name ?? '';
  const refused = isRefusal(write.dryRun?.error);
  const guard: Guard =
    props.guard.state === 'allowed' && refused ? { state: 'wrong', reason: tw('problem.dryFirst') } : props.guard;
  const kubectl = (write.receipt?.changed ? write.receipt.kubectl : write.dryRun?.data?.kubectl) ?? props.kubectl;
  const Overlay = grave ? Dialog : Drawer;
  const submit = (
    <GuardedButton
      guard={guard}
      variant={grave ? 'danger' : 'primary'}
      busy={write.sending || write.waiting}
      onClick={props.onSubmit}
    >
      {props.submit}
    </GuardedButton>
  );
  const close = (
    <Button variant="quiet" onClick={onClose}>
      {write.done ? tw('receipt.close') : tw('cancel')}
    </Button>
  );
  return (
    <Overlay
      open
      onOpenChange={onClose}
      title={props.title}
      subtitle={`SandboxUpdateOps ${op.name} · ${op.ns} · ${cluster}`}
      footer={
        <>
          {grave ? close : null}
          {write.done ? null : submit}
          {grave ? null : close}
        </>
      }
    >
      {goneAt !== undefined && !write.done ? (
        <Note tone="unknown" title={tw('gone.title', { at: f.time(goneAt) })} live>
          <p>{t('gone')}</p>
        </Note>
      ) : null}
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          if (guard.state === 'allowed' && !write.done && !write.sending) props.onSubmit();
        }}
      >
        {props.children}
        {/* The button that is seen lies outside; without one inside, Enter sends a form of two fields nowhere. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
      {write.receipt ? (
        <WriteReceipt
          key={`${write.receipt.id}${props.stateKey ?? ''}`}
          receipt={write.receipt}
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
      {write.error ? (
        <ProblemNote about="upgrade" error={write.error} />
      ) : write.dryRun?.error ? (
        <ProblemNote
          about="upgrade"
          asked="dryRun"
          error={write.dryRun.error}
          onAsk={() => void write.dryRun?.refetch()}
        />
      ) : null}
      {kubectl === undefined ? null : <Command label={tw('scale.sameAs')} text={kubectl} />}
      {write.dryRun && !write.error ? <DryRunLine answer={write.dryRun.data} asking={write.asking} /> : null}
    </Overlay>
  );
}
