'use client';

import {
  CheckCheck,
  CircleArrowUp,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CirclePlay,
  Loader,
  type LucideIcon,
  OctagonX,
  PlugZap,
  Recycle,
  RotateCw,
  SquareDashed,
  Trash2,
} from 'lucide-react';
import type { DisplayState, SandboxRow } from '@/lib/contracts/rows';
import { type Severity, severityOf } from '@/lib/domain/severity';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useLimits, useNow } from '@/lib/live';
import { Icon, type Tone } from '../ui/icon';
import { SafeText } from './safe-text';

/** Icon shape is the phase, tone is its colour while all is well (design/interface.md section 0). */
export const stateLooks: Record<DisplayState, { icon: LucideIcon; tone: Tone }> = {
  Creating: { icon: CircleDashed, tone: 'info' },
  Available: { icon: CircleCheck, tone: 'ok' },
  Running: { icon: CirclePlay, tone: 'ok' },
  NotReady: { icon: CirclePlay, tone: 'unknown' },
  Pausing: { icon: Loader, tone: 'paused' },
  Paused: { icon: CirclePause, tone: 'paused' },
  Resuming: { icon: RotateCw, tone: 'info' },
  Initialising: { icon: PlugZap, tone: 'info' },
  Upgrading: { icon: CircleArrowUp, tone: 'upgrade' },
  Recycling: { icon: Recycle, tone: 'recycle' },
  Succeeded: { icon: CheckCheck, tone: 'unknown' },
  Failed: { icon: OctagonX, tone: 'breach' },
  Terminating: { icon: Trash2, tone: 'paused' },
  Other: { icon: SquareDashed, tone: 'unknown' },
};

/** The tone of a severity; none while in time, so that the phase keeps its own. */
export function severityTone(severity: Severity): 'attention' | 'breach' | undefined {
  return { calm: undefined, warn: 'attention' as const, breach: 'breach' as const }[severity];
}

/**
 * A state with its severity. A phase this console does not know is shown as the cluster wrote it, never as
 * healthy. `stage` follows an upgrading sandbox.
 */
export function StateBadge({
  state,
  phase,
  stage,
  severity = 'calm',
}: {
  state: DisplayState;
  phase?: string;
  stage?: string | undefined;
  severity?: Severity;
}) {
  const t = useTranslations('domain.state');
  const { icon, tone } = stateLooks[state];
  const loud = severityTone(severity);
  return (
    <span className="st" data-tone={loud}>
      <Icon icon={icon} tone={loud ?? tone} />
      {state === 'Other' && phase ? <SafeText text={phase} /> : t(state)}
      {stage ? (
        <span className="dim">
          <SafeText text={stage} />
        </span>
      ) : null}
    </span>
  );
}

/** The badge of a sandbox, which turns by itself when the sandbox passes a limit. */
export function SandboxState({ row, withStage }: { row: SandboxRow; withStage?: boolean }) {
  const now = useNow();
  const limits = useLimits();
  return (
    <StateBadge
      state={row.state}
      phase={row.phase}
      stage={withStage ? row.stage : undefined}
      severity={severityOf(row, now, limits)}
    />
  );
}
