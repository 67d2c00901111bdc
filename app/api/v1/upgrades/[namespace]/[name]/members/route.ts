import { handler } from '@/server/http/handler';
import { objectParams } from '@/server/http/names';
import { serviceContext } from '@/server/services/service-context';
import { readMembers } from '@/server/services/upgrades/read-members';

export const GET = handler({ params: objectParams, access: 'read' }, async (call) =>
  readMembers(await serviceContext(call), call.params),
);
