import { createUpgradeRequest } from '@/lib/contracts/upgrade-writes';
import { handler } from '@/server/http/handler';
import { createUpgrade } from '@/server/services/upgrades/create-upgrade';
import { upgradeContext } from '@/server/services/upgrades/upgrade-context';

export const POST = handler({ body: createUpgradeRequest, access: 'write' }, async (call) =>
  createUpgrade(await upgradeContext(call), call.body),
);
