import { cleanLeftoversRequest } from '@/lib/contracts/upgrade-leftovers';
import { handler } from '@/server/http/handler';
import { serviceContext } from '@/server/services/service-context';
import { cleanLeftovers } from '@/server/services/upgrades/clean-leftovers';

export const POST = handler({ body: cleanLeftoversRequest, access: 'write' }, async (call) =>
  cleanLeftovers(await serviceContext(call), call.body),
);
