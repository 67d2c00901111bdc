import { readableKind } from '@/lib/contracts/objects';
import { handler } from '@/server/http/handler';
import { objectParams } from '@/server/http/names';
import { readObject } from '@/server/services/objects/read-object';
import { serviceContext } from '@/server/services/service-context';

const params = objectParams.extend({ kind: readableKind });

export const GET = handler({ params, access: 'read' }, async (call) =>
  readObject(await serviceContext(call), call.params),
);
