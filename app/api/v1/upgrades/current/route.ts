import { z } from 'zod';
import { mostCounted } from '@/lib/contracts/upgrade-members';
import { handler } from '@/server/http/handler';
import { objectParams } from '@/server/http/names';
import { serviceContext } from '@/server/services/service-context';
import { countCurrent } from '@/server/services/upgrades/count-current';

/** `operations=demo/november,prod/november` */
const query = z.object({
  operations: z
    .string()
    .transform((text) =>
      text.split(',').map((each) => {
        const [namespace, name, ...more] = each.split('/');
        return more.length > 0 ? {} : { namespace, name };
      }),
    )
    .pipe(z.array(objectParams).min(1).max(mostCounted)),
});

export const GET = handler({ query, access: 'read' }, async (call) =>
  countCurrent(await serviceContext(call), call.query.operations),
);
