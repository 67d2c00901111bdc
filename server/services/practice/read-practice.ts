import 'server-only';
import { z } from 'zod';
import { activeFault, type PracticeReply, practiceFault, practiceScenario } from '@/lib/contracts/practice';
import { readEnvironment } from '@/server/env';
import { ok, type Result } from '../result';
import { askDoor, doorUrl } from './door';

const scenariosAnswer = z.object({ scenarios: z.array(practiceScenario) });
const faultsAnswer = z.object({ faults: z.array(practiceFault), active: z.array(activeFault) });

/** What can be practised on the embedded cluster, and what runs; nothing when it was started without its control door. */
export async function readPractice(): Promise<Result<PracticeReply>> {
  const env = readEnvironment();
  if (env.CONSOLE_EMBEDDED && doorUrl(env) === undefined) return ok({ scenarios: [], faults: [], active: [] });
  const scenarios = await askDoor('GET', '/scenarios');
  if (!scenarios.ok) return scenarios;
  const faults = await askDoor('GET', '/faults');
  if (!faults.ok) return faults;
  return ok({ ...scenariosAnswer.parse(scenarios.value), ...faultsAnswer.parse(faults.value) });
}
