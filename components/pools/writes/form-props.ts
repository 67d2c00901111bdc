import type { PoolRow } from '@/lib/contracts/rows';

/** What a form of a pool is opened with. */
export type FormProps = {
  /** The live row, or the last one known of a pool that is gone. */
  pool: PoolRow;
  /** When the pool was noticed to be gone, server clock. */
  goneAt?: number | undefined;
  onClose: () => void;
  /** Where the focus goes after closing; absent: where it came from. */
  returnFocus?: (() => HTMLElement | null) | undefined;
};
