import { upgradePreviewRequest } from '@/lib/contracts/upgrade-preview';
import { handler } from '@/server/http/handler';
import { previewUpgrade } from '@/server/services/upgrades/preview-upgrade';
import { upgradeContext } from '@/server/services/upgrades/upgrade-context';

/** Nothing is written; it takes a body, and costs as much as a dry run. */
export const POST = handler({ body: upgradePreviewRequest, access: 'write' }, async (call) =>
  previewUpgrade(await upgradeContext(call), call.body),
);
