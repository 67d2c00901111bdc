import { deleteUpgradeRequest } from '@/lib/contracts/upgrade-writes';
import { handler } from '@/server/http/handler';
import { objectParams } from '@/server/http/names';
import { serviceContext } from '@/server/services/service-context';
import { deleteUpgrade } from '@/server/services/upgrades/delete-upgrade';

export const POST = handler({ params: objectParams, body: deleteUpgradeRequest, access: 'write' }, async (call) =>
  deleteUpgrade(await serviceContext(call), call.params, call.body),
);
