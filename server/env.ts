import 'server-only';
import { z } from 'zod';

const flag = z
  .enum(['1', 'true', '0', 'false', ''])
  .optional()
  .transform((value) => value === '1' || value === 'true');

const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined);

/** The console's own environment. Names and meaning are in README's configuration table. */
const environment = z.object({
  /** A kubeconfig file. Without it the console must run in a Pod. */
  CONSOLE_KUBECONFIG: text,
  /** A context of that file; its current one when absent. */
  CONSOLE_CONTEXT: text,
  /** The cluster is the simulator that ships with the console. */
  CONSOLE_EMBEDDED: flag,
  /** Seconds without a byte on a watch before the kind is listed again. */
  CONSOLE_WATCH_SILENCE_SECONDS: z.coerce.number().positive().default(90),
  KUBERNETES_SERVICE_HOST: text,
  KUBERNETES_SERVICE_PORT: text,
});
export type Environment = z.infer<typeof environment>;

/** @throws with one sentence a variable that is wrong */
export function readEnvironment(source: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const parsed = environment.safeParse(source);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The environment is not right. ${faults.join('; ')}`);
}
