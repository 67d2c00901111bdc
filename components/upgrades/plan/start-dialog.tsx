'use client';

import { useState } from 'react';
import type { UpgradeTarget } from '@/lib/contracts/upgrade-preview';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button, Dialog, type Guard, GuardedButton, TextField } from '../../ui';
import { fewUpTo } from '../../writes/few';
import { Consequences } from './consequences';
import { MovedNote } from './moved-note';
import type { Planning } from './planning';
import type { Create } from './use-create';

/** More than a handful, or anybody's session: the number is typed by hand. */
const typedCountNeeded = (targets: readonly Pick<UpgradeTarget, 'claimed'>[]): boolean =>
  targets.length > fewUpTo || targets.some(({ claimed }) => claimed);

/**
 * The last question before sessions are interrupted. It stays, and what was typed in it, when the plan cannot be started
 * for the moment: it says why.
 * @param props.start whether the plan can be started now, and what is in the way
 */
export function StartDialog(props: {
  open: boolean;
  planning: Planning;
  create: Create;
  start: Guard;
  onCancel: () => void;
  onConfirm: () => void;
}) {
  const { open, planning, create, start, onConfirm } = props;
  const t = useTranslations('upgrade-plan.confirm');
  const [typed, setTyped] = useState('');
  const { count } = create;
  const { namespace, name } = planning.form;
  const typedNeeded = typedCountNeeded(planning.preview.reply?.targets ?? []);
  const ready = start.state === 'allowed' && (!typedNeeded || typed.trim() === String(count));
  const close = () => {
    setTyped('');
    props.onCancel();
  };
  const confirm = () => {
    if (!ready) return;
    setTyped('');
    onConfirm();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) close();
      }}
      title={t('title', { count })}
      subtitle={`SandboxUpdateOps ${name} · ${namespace} · ${planning.cluster}`}
      footer={
        <>
          <Button variant="quiet" onClick={close}>
            {t('cancel')}
          </Button>
          <GuardedButton guard={start} variant="danger" aria-disabled={!ready} onClick={confirm}>
            {t('start', { count })}
          </GuardedButton>
          {start.state === 'wrong' ? <span className="sm mut">{start.reason}</span> : null}
        </>
      }
    >
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
        }}
      >
        <Consequences planning={planning} />
        <MovedNote create={create} />
        {typedNeeded ? (
          <TextField
            label={t('type', { count: String(count) })}
            value={typed}
            onChange={setTyped}
            inputMode="numeric"
            className="plan-short"
          />
        ) : null}
      </form>
    </Dialog>
  );
}
