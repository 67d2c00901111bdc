import { sandboxActionRequest } from '@/lib/contracts/sandbox-writes';
import { handler } from '@/server/http/handler';
import { actOnSandboxes } from '@/server/services/sandboxes/act';
import { serviceContext } from '@/server/services/service-context';

export const POST = handler({ body: sandboxActionRequest, access: 'write' }, async (call) =>
  actOnSandboxes(await serviceContext(call), call.body),
);
