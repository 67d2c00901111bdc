import { z } from 'zod';
import { readableKind } from '@/lib/contracts/objects';
import { handler } from '@/server/http/handler';
import { objectParams } from '@/server/http/names';
import { readObject, readObjectIfAny } from '@/server/services/objects/read-object';
import { serviceContext } from '@/server/services/service-context';

const params = objectParams.extend({ kind: readableKind });
const query = z.object({ ifAny: z.literal('true').optional() });

export const GET = handler({ params, query, access: 'read' }, async (call) =>
  (call.query.ifAny ? readObjectIfAny : readObject)(await serviceContext(call), call.params),
);
