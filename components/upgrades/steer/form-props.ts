import type { Upgrade } from '@/lib/domain/upgrades/views';

/** What a form of an operation is opened with. */
export type FormProps = {
  /** The live operation, or the last one known of one that is gone. */
  upgrade: Upgrade;
  /** When it was noticed to be gone, server clock. */
  goneAt: number | undefined;
  onClose: () => void;
};
