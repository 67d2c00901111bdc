import { setGuardRequest } from '@/lib/contracts/upgrade-writes';
import { handler } from '@/server/http/handler';
import { objectParams } from '@/server/http/names';
import { setGuard } from '@/server/services/upgrades/set-guard';
import { upgradeContext } from '@/server/services/upgrades/upgrade-context';

export const POST = handler({ params: objectParams, body: setGuardRequest, access: 'write' }, async (call) =>
  setGuard(await upgradeContext(call), call.params, call.body),
);
