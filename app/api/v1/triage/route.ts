import { z } from 'zod';
import { setMarkRequest } from '@/lib/contracts/triage';
import { handler } from '@/server/http/handler';
import { namespacesQuery } from '@/server/http/names';
import { listMarks } from '@/server/services/triage/list-marks';
import { setMark } from '@/server/services/triage/set-mark';
import { triageContext } from '@/server/services/triage/triage-context';

const query = z.object({ namespaces: namespacesQuery });

export const GET = handler({ query, access: 'read' }, async (call) =>
  listMarks(await triageContext(call), call.query.namespaces),
);

export const PUT = handler({ body: setMarkRequest, access: 'write' }, async (call) =>
  setMark(await triageContext(call), call.body),
);
