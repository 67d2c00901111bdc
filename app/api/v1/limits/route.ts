import { setLimitsRequest } from '@/lib/contracts/triage';
import { handler } from '@/server/http/handler';
import { readLimits } from '@/server/services/limits/read-limits';
import { setLimits } from '@/server/services/limits/set-limits';
import { triageContext } from '@/server/services/triage/triage-context';

export const GET = handler({ access: 'read' }, async (call) => readLimits(await triageContext(call)));

export const PUT = handler({ body: setLimitsRequest, access: 'write' }, async (call) =>
  setLimits(await triageContext(call), call.body),
);
