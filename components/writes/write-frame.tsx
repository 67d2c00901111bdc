'use client';

import { type ReactNode, useId } from 'react';
import type { Receipt } from '@/lib/contracts/writes';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button, Command, Dialog, Drawer, type Guard, GuardedButton, useGuardReason } from '../ui';
import { isRefusal } from './api';
import { DryRunLine } from './dry-run-line';
import { GoneNote } from './gone-note';
import { ProblemNote } from './problem-note';
import './writes.css';

export type Submit = {
  label: string;
  /** May it be sent as it stands? A refused dry run is seen to here. */
  guard: Guard;
  busy: boolean;
  onSubmit: () => void;
  danger?: boolean;
  /** The reason of the guard stands in the form already. */
  said?: boolean;
};

/**
 * What every form of a write has around its own fields: that its object is gone, the form itself, what became of it, why not,
 * the line of kubectl and the dry run; and below, the button with the reason why it cannot be pressed beside it.
 */
export function WriteFrame(props: {
  about: 'pool' | 'upgrade' | 'sandbox';
  /** In the middle: what ends something, or is hard to undo. */
  overlay: 'dialog' | 'drawer';
  title: string;
  /** Kind, namespace and cluster. */
  subtitle: string;
  /** When the object was noticed to be gone, and what that means for the form; absent where it is about several. */
  gone?: { at: number | undefined; text: string };
  fields: ReactNode;
  /** Absent: there is nothing to send, or nothing any more. */
  submit: Submit | undefined;
  /** What the other button is called. */
  close: string;
  /** Beside the buttons, where there is no reason to give. */
  aside?: string;
  onClose: () => void;
  returnFocus?: (() => HTMLElement | null) | undefined;
  receipt?: ReactNode;
  /** The write failed. */
  error: Error | null;
  /** Absent while nothing is asked. */
  dryRun: { data: Receipt | undefined; error: Error | null; asking: boolean; refetch: () => unknown } | undefined;
  /** Between the answers and the line of kubectl. */
  children?: ReactNode;
  kubectl: string | undefined;
  /** After the line of kubectl. */
  moreLines?: ReactNode;
}) {
  const { about, gone, dryRun, error, submit, onClose, kubectl } = props;
  const t = useTranslations('writes');
  const whyId = useId();
  const guard = guardOf();
  const reasonOfGuard = useGuardReason(guard);
  // Beside the button, not only when the pointer is on it.
  const why = submit?.said || gone?.at !== undefined ? undefined : reasonOfGuard;
  const isDialog = props.overlay === 'dialog';
  const Overlay = isDialog ? Dialog : Drawer;
  const reason = why ? (
    <p id={whyId} className="write-why sm mut">
      {why}
    </p>
  ) : null;
  const close = (
    <Button variant="quiet" onClick={onClose}>
      {props.close}
    </Button>
  );
  return (
    <Overlay
      open
      onOpenChange={onClose}
      returnFocus={props.returnFocus}
      title={props.title}
      subtitle={props.subtitle}
      footer={
        <>
          {isDialog ? reason : null}
          {isDialog ? close : null}
          {submit && guard ? (
            <GuardedButton
              guard={guard}
              variant={submit.danger ? 'danger' : 'primary'}
              busy={submit.busy}
              onClick={submit.onSubmit}
              aria-describedby={why ? whyId : undefined}
            >
              {submit.label}
            </GuardedButton>
          ) : null}
          {isDialog ? null : close}
          {isDialog ? null : (reason ?? (props.aside ? <span className="end sm dim">{props.aside}</span> : null))}
        </>
      }
    >
      {gone ? <GoneNote {...gone} /> : null}
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          if (guard?.state === 'allowed' && !submit?.busy) submit?.onSubmit();
        }}
      >
        {props.fields}
        {/* The button that is seen lies outside; without one inside, Enter sends a form of two fields nowhere. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
      {props.receipt}
      {error ? (
        <ProblemNote about={about} error={error} />
      ) : dryRun?.error ? (
        <ProblemNote about={about} asked="dryRun" error={dryRun.error} onAsk={() => void dryRun.refetch()} />
      ) : null}
      {props.children}
      {kubectl === undefined ? null : <Command label={t('scale.sameAs')} text={kubectl} />}
      {props.moreLines}
      {dryRun && !error ? <DryRunLine answer={dryRun.data} asking={dryRun.asking} /> : null}
    </Overlay>
  );

  function guardOf(): Guard | undefined {
    if (submit?.guard.state !== 'allowed' || !isRefusal(dryRun?.error)) return submit?.guard;
    return { state: 'wrong', reason: t('problem.dryFirst') };
  }
}
