import { handler } from '@/server/http/handler';
import { objectParams } from '@/server/http/names';
import { readHistory } from '@/server/services/upgrades/read-history';
import { upgradeContext } from '@/server/services/upgrades/upgrade-context';

export const GET = handler({ params: objectParams, access: 'read' }, async (call) =>
  readHistory(await upgradeContext(call), call.params),
);
