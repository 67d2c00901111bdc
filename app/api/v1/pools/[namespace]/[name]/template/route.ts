import { patchPoolTemplateRequest } from '@/lib/contracts/writes';
import { handler } from '@/server/http/handler';
import { objectParams } from '@/server/http/names';
import { patchPoolTemplate } from '@/server/services/pools/patch-pool-template';
import { serviceContext } from '@/server/services/service-context';

export const POST = handler({ params: objectParams, body: patchPoolTemplateRequest, access: 'write' }, async (call) =>
  patchPoolTemplate(await serviceContext(call), call.params, call.body),
);
