'use client';

import { Ban, CircleDot, ClockPlus, Files, SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Command, Icon } from '@/components/ui';
import type { KubeObject } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import { nextThing } from '@/lib/domain/deadlines';
import type { FindingCode } from '@/lib/domain/diagnosis/codes';
import type { Loss, Step } from '@/lib/domain/diagnosis/steps';
import { actionOfStep } from '@/lib/domain/sandbox-actions';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { ActionButton, useByHand, useCannotHelp } from '../../sandboxes/actions';
import { stuckPath } from '../../sandboxes/paths';
import { BundleButton } from '../bundle/bundle-button';
import { useStepText } from './finding-words';

/** What can be done, safest first, with what each loses; then what seems to help and does not. */
export function WaysOut({
  steps,
  useless,
  cause,
  first,
  actionOf,
}: {
  steps: readonly Step[];
  useless: readonly Step[];
  /** What the steps are against. */
  cause: FindingCode | undefined;
  /** What comes before all steps, as list items. */
  first?: ReactNode;
  /** The button of a step that the console can do itself. */
  actionOf: (step: Step) => ReactNode;
}) {
  const t = useTranslations('stuck.ways');
  const say = useStepText();
  const cannotHelp = useCannotHelp();
  return (
    <section className="psec px-0! pb-1!">
      <h3 className="px-4">
        {t('title')} <span className="dim sm font-normal">{t('order')}</span>
      </h3>
      <ol className="outs">
        {first}
        {steps.map((step) => (
          <Way key={`${step.code}/${step.kubectl.join()}`} step={step} action={actionOf(step)} />
        ))}
      </ol>
      {useless.length > 0 ? (
        <>
          <h3 className="px-4 pt-3 mb-0!">{t('useless')}</h3>
          <ul className="outs">
            {useless.map((step) => (
              <li key={step.code}>
                <Icon icon={Ban} />
                <div className="min-w-0">
                  <div className="mut">{say(step)}</div>
                  <Reason text={cause && cannotHelp(step.code, cause)} />
                </div>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

function Reason({ text }: { text: string | undefined }) {
  return text === undefined ? null : <p>{text}</p>;
}

/** What is known of it, for a ticket. */
export function BundleFirst({ row }: { row: SandboxRow }) {
  const t = useTranslations('stuck.ways');
  return (
    <li>
      <Icon icon={Files} />
      <div>
        <div>{t('bundle')}</div>
        <p>{t('losesNothing')}</p>
      </div>
      <div>
        <BundleButton incident={{ scope: { ns: row.ns, uid: row.uid }, rows: [row], href: stuckPath(row) }} size="sm" />
      </div>
    </li>
  );
}

/** What costs nothing and buys time: only where the sandbox is to end by itself. */
export function ExtendFirst({ row, object }: { row: SandboxRow; object: KubeObject | undefined }) {
  const t = useTranslations('stuck.ways');
  const next = nextThing({ ...row, paused: true }, useNow());
  if (!next) return null;
  return (
    <li>
      <Icon icon={ClockPlus} />
      <div>
        <div>{t('extend')}</div>
        <p>{t('losesNothing')}</p>
      </div>
      <div>
        <ActionButton action="setDeadline" row={row} object={object} size="sm" />
      </div>
    </li>
  );
}

function Way({ step, action }: { step: Step; action: ReactNode }) {
  const t = useTranslations('stuck.ways');
  const say = useStepText();
  const byHand = useByHand();
  const here = actionOfStep(step.code) !== undefined;
  return (
    <li>
      <Icon icon={here ? CircleDot : SquareTerminal} />
      <div className="min-w-0">
        <div>{say(step)}</div>
        <p>
          <Losses loses={step.loses} />
        </p>
        <Reason text={byHand(step.code)} />
      </div>
      <div>{action}</div>
      {step.kubectl.length > 0 ? (
        <details className="col-span-2 col-start-2 mt-1" open={!here}>
          <summary className="sm dim">{t('terminal')}</summary>
          <div className="mt-1 grid gap-1">
            {step.kubectl.map((line) => (
              <Command key={line} text={line} />
            ))}
          </div>
        </details>
      ) : null}
    </li>
  );
}

/** `Loses nothing`, or what. */
export function Losses({ loses }: { loses: readonly Loss[] }) {
  const t = useTranslations('stuck.ways');
  const loss = useTranslations('diagnosis.loss');
  const f = useFormats();
  if (loses.length === 0) return t('losesNothing');
  const what = f.list(loses.map((each) => loss(each)));
  return loses.includes('session') ? <b>{t('loses', { what })}</b> : t('loses', { what });
}
