'use client';

import {
  Check,
  CircleArrowUp,
  CirclePause,
  Clock,
  Lock,
  type LucideIcon,
  OctagonX,
  SquareDashed,
  Trash2,
} from 'lucide-react';
import { stillFails, type UpgradePhase } from '@/lib/domain/upgrades/view';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../common';
import { Icon, Tag, type Tone } from '../ui';

/** Red means act: only what will not go on by itself. Of a failed one whose sandboxes another has upgraded since, nothing is to be done. */
const looks: Record<UpgradePhase, { icon: LucideIcon; tone: Tone; loud?: true }> = {
  NotTaken: { icon: SquareDashed, tone: 'unknown' },
  WaitingForOther: { icon: Clock, tone: 'unknown' },
  Pending: { icon: Clock, tone: 'info' },
  Updating: { icon: CircleArrowUp, tone: 'upgrade' },
  PausedBySpec: { icon: CirclePause, tone: 'paused' },
  Deadlocked: { icon: Lock, tone: 'breach', loud: true },
  Completed: { icon: Check, tone: 'ok' },
  Failed: { icon: OctagonX, tone: 'breach', loud: true },
  Deleting: { icon: Trash2, tone: 'paused' },
  DeletingWaits: { icon: Trash2, tone: 'attention' },
  Other: { icon: SquareDashed, tone: 'unknown' },
};

/** The phase as a person needs it, which is not always the one in the status. `boxed`: beside a title, where loud ones are a tag. */
export function UpgradePhaseBadge({ upgrade: { op, view }, boxed = false }: { upgrade: Upgrade; boxed?: boolean }) {
  const t = useTranslations('upgrades.phase');
  const look = looks[view.phase];
  const isSettled = view.phase === 'Failed' && !stillFails(view);
  const { icon, tone, loud } = isSettled ? { ...look, tone: 'paused' as const, loud: undefined } : look;
  const isStuck = view.concerns.length > 0;
  if (loud && boxed) {
    return (
      <Tag tone={tone} icon={icon}>
        {t(view.phase)}
      </Tag>
    );
  }
  return (
    <span
      className="st"
      title={view.phase === 'Other' ? undefined : t(view.phase)}
      data-tone={loud ? tone : isStuck ? 'attention' : undefined}
    >
      <Icon icon={icon} tone={isStuck ? 'attention' : tone} />
      {view.phase === 'Other' ? <SafeText text={op.phase} /> : t(view.phase)}
    </span>
  );
}
