import { steerUpgradeRequest } from '@/lib/contracts/upgrade-writes';
import { handler } from '@/server/http/handler';
import { objectParams } from '@/server/http/names';
import { serviceContext } from '@/server/services/service-context';
import { steerUpgrade } from '@/server/services/upgrades/steer-upgrade';

export const POST = handler({ params: objectParams, body: steerUpgradeRequest, access: 'write' }, async (call) =>
  steerUpgrade(await serviceContext(call), call.params, call.body),
);
