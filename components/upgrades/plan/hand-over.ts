import type { z } from 'zod';
import { upgradeDraft } from '@/lib/contracts/upgrades';
import { origin } from './draft';

export const handedOver = upgradeDraft
  .partial()
  .required({ namespace: true, targets: true })
  .extend({ origin: origin.optional() });
/** As much of an operation as another page knows of what is to be planned. */
export type HandedOver = z.infer<typeof handedOver>;
export const handOverKey = (id: string) => `upgrade-hand-over:${id}`;

/**
 * Takes a plan over to the form, in this tab: thousands of chosen sandboxes do not fit into an address.
 * @returns the address that opens the form with it; call it when the person asks for it, not while rendering
 */
export function planUpgrade(draft: HandedOver): string {
  const id = crypto.randomUUID().slice(0, 8);
  try {
    sessionStorage.setItem(handOverKey(id), JSON.stringify(draft));
  } catch {
    // Without storage the form opens empty, and says that nothing was handed over.
  }
  return `/upgrades/new?draft=${id}`;
}
