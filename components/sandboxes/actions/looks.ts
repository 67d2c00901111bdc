import { CirclePlay, ClockPlus, Images, type LucideIcon, Pause, Recycle, Trash2, Unlink } from 'lucide-react';
import type { SandboxAction } from '@/lib/contracts/sandbox-writes';

export const actionIcons: Record<SandboxAction, LucideIcon> = {
  setDeadline: ClockPlus,
  pauseSandbox: Pause,
  resumeSandbox: CirclePlay,
  deletePod: Recycle,
  changeImages: Images,
  deleteSandbox: Trash2,
  removeFinalizer: Unlink,
};
