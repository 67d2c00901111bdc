import { scalePoolRequest } from '@/lib/contracts/writes';
import { handler } from '@/server/http/handler';
import { objectParams } from '@/server/http/names';
import { scalePool } from '@/server/services/pools/scale-pool';
import { serviceContext } from '@/server/services/service-context';

export const POST = handler({ params: objectParams, body: scalePoolRequest, access: 'write' }, async (call) =>
  scalePool(await serviceContext(call), call.params, call.body),
);
