'use client';

import { KeyValues, SafeText } from '@/components/common';
import type { KubeObject } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import { failedHook } from '@/lib/domain/sandbox-asks';
import { userLabels } from '@/lib/domain/user-labels';
import { useTranslations } from '@/lib/i18n/use-translations';
import { OperationLink } from '../sandboxes/operation-link';

/** Facts inside a section that has its own padding; a command or an owner is read whole. */
const plain = '[&>.kv]:p-0 [&_dd]:whitespace-normal [&_dd]:wrap-anywhere';

/** The operation that upgrades the sandbox, and the hook that failed in it. */
export function UpgradeFacts({ row, object }: { row: SandboxRow; object: KubeObject | undefined }) {
  const t = useTranslations('stuck.upgrade');
  const hook = failedHook(row.stage, object);
  if (row.state !== 'Upgrading') return null;
  return (
    <section className="psec">
      <h3>{t('title')}</h3>
      <div className={plain}>
        <KeyValues
          items={[
            { label: t('operation'), value: row.op && <OperationLink row={row} /> },
            ...(hook
              ? [
                  {
                    label: hook.which,
                    value: hook.command && (
                      <>
                        <span className="mono">
                          <SafeText text={hook.command} />
                        </span>{' '}
                        {hook.timeoutSeconds === undefined ? null : (
                          <span className="dim">{t('timeout', { seconds: hook.timeoutSeconds })}</span>
                        )}
                      </>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </div>
    </section>
  );
}

/** Whom to ask: claim, owner, and the labels that people gave the sandbox. Nothing of a member of a pool. */
export function Whose({ row, object }: { row: SandboxRow; object: KubeObject | undefined }) {
  const t = useTranslations('stuck.whose');
  const named = [
    { label: t('claim'), text: row.claimName },
    { label: t('owner'), text: row.owner },
    ...(object ? userLabels(object) : []).map(([label, text]) => ({ label, text })),
  ].flatMap(({ label, text }) => (text === undefined ? [] : [{ label, value: <SafeText text={text} /> }]));
  if (named.length === 0) return null;
  return (
    <section className="psec">
      <h3>{t('title')}</h3>
      <div className={plain}>
        <KeyValues items={named} />
      </div>
    </section>
  );
}
