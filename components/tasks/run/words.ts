import { Ban, Check, CircleHelp, Clock, LoaderCircle, type LucideIcon, Undo2, X } from 'lucide-react';
import type { TaskState } from '@/lib/contracts/tasks';
import type { Tone } from '../../ui';

/** A task that fails is nobody's alarm: only what cannot be told and what the platform ended has a tone. */
export const stateLooks: Record<TaskState, { icon: LucideIcon; tone?: Tone }> = {
  queued: { icon: Clock },
  running: { icon: LoaderCircle, tone: 'info' },
  cancelling: { icon: Undo2 },
  succeeded: { icon: Check, tone: 'ok' },
  failed: { icon: X, tone: 'unknown' },
  cancelled: { icon: Ban, tone: 'unknown' },
  error: { icon: X, tone: 'attention' },
  unknown: { icon: CircleHelp, tone: 'unknown' },
};
