'use client';

import clsx from 'clsx';
import { Check, CircleHelp, Ellipsis, type LucideIcon, Minus, X } from 'lucide-react';
import { severityTone } from '@/components/common';
import { Icon } from '@/components/ui';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { GateOutcome, GateResult, Verdict } from '@/lib/domain/diagnosis/verdict';
import { visibleText } from '@/lib/domain/text';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { usePlaceName } from '../../history/place-name';
import { EvidenceList, PassedBy } from './evidence-list';
import { ImageEvidence } from './image-evidence';

const looks: Record<GateOutcome, { icon: LucideIcon; look: 'pass' | 'fail' | 'wait' }> = {
  passed: { icon: Check, look: 'pass' },
  failed: { icon: X, look: 'fail' },
  waiting: { icon: Ellipsis, look: 'fail' },
  notReached: { icon: Minus, look: 'wait' },
  unknown: { icon: CircleHelp, look: 'wait' },
};

/** What the controller waits for, in its own order; the gate that holds the sandbox is open and shows why. */
export function GateList({ verdict, row }: { verdict: Verdict; row: SandboxRow }) {
  const t = useTranslations('stuck.gates');
  if (verdict.gates.length === 0) return null;
  return (
    <ol className="gates" aria-label={t('label')}>
      {verdict.gates.map((gate) => (
        <Gate key={gate.code} gate={gate} verdict={verdict} row={row} />
      ))}
    </ol>
  );
}

/** Red is for what is past its breach line. */
const quiet = 'shadow-[inset_2px_0_0_var(--tone,var(--line-2))]!';

function Gate({ gate, verdict, row }: { gate: GateResult; verdict: Verdict; row: SandboxRow }) {
  const t = useTranslations('diagnosis.outcome');
  const place = usePlaceName();
  const { icon, look } = looks[gate.outcome];
  const held = look === 'fail';
  const loud = held ? severityTone(verdict.severity) : undefined;
  const unequal = held ? gate.compared.filter(({ equal }) => !equal) : [];
  return (
    <li
      className={clsx('gate', held && loud !== 'breach' && quiet)}
      data-g={look}
      data-tone={loud ?? (look === 'pass' ? 'ok' : undefined)}
      aria-current={held ? 'step' : undefined}
    >
      <Icon icon={icon} />
      <span className="q">
        {place({ gate: gate.code })} <span className="vh">{t(gate.outcome)}</span>
      </span>
      <span className={clsx('ev', held && loud !== 'breach' && 'text-muted!')}>
        {gate.outcome === 'passed' ? <PassedBy gate={gate} /> : held ? <Differs names={unequal} /> : t(gate.outcome)}
      </span>
      {unequal.map((compared) => (
        <ImageEvidence key={compared.name} compared={compared} row={row} />
      ))}
      {held && unequal.length === 0 ? (
        <div className="col-span-full mt-1">
          <EvidenceList evidence={gate.evidence} />
        </div>
      ) : null}
    </li>
  );
}

/** The init containers whose names differ. */
function Differs({ names }: { names: readonly { name: string }[] }) {
  const t = useTranslations('stuck.evidence');
  const f = useFormats();
  if (names.length === 0) return null;
  return t('differs', { container: f.list(names.map(({ name }) => visibleText(name, 'mark'))) });
}
