import { z } from 'zod';
import { type Container, containerSchema } from '../client/objects';

const stringMap = z.record(z.string(), z.string());
const named = z.looseObject({ name: z.string() });
const execSchema = z.looseObject({ command: z.array(z.string()).optional() });
const handlerSchema = z.looseObject({
  exec: execSchema.optional(),
  httpGet: z.unknown().optional(),
  tcpSocket: z.unknown().optional(),
});
type Handler = z.infer<typeof handlerSchema>;

/** What a runtime wants of the first container of a Pod. */
const mainSchema = z.looseObject({
  env: z.array(named).optional(),
  volumeMounts: z.array(named).optional(),
  lifecycle: z.looseObject({ postStart: handlerSchema.optional() }).optional(),
});

/** One runtime's template; the names of the keys are those of the installation's ConfigMap. */
export const injectionSchema = z.looseObject({
  mainContainer: mainSchema.optional(),
  csiSidecar: z.array(containerSchema).optional(),
  volume: z.array(named).optional(),
  labels: stringMap.optional(),
  annotations: stringMap.optional(),
  initContainers: z.array(containerSchema).optional(),
  containers: z.array(containerSchema).optional(),
});
export type Injection = z.infer<typeof injectionSchema>;

export const missingFrom = <T extends { name: string }>(present: { name: string }[], news: T[]): T[] =>
  news.filter(({ name }) => !present.some((one) => one.name === name));

/** Adds variables and mounts to the main container. `onlyMissing`: those whose names it has already are left out. */
export function intoMain(main: Container, wanted: Injection['mainContainer'], onlyMissing: boolean): Container {
  if (wanted === undefined) return main;
  const { env = [], volumeMounts = [], lifecycle } = mainSchema.parse(main);
  const add = (present: { name: string }[], news: { name: string }[] = []) => [
    ...present,
    ...(onlyMissing ? missingFrom(present, news) : news),
  ];
  const variables = add(env, wanted.env);
  const mounts = add(volumeMounts, wanted.volumeMounts);
  const postStart = onlyMissing ? undefined : started(wanted.lifecycle?.postStart, lifecycle?.postStart);
  return {
    ...main,
    ...(variables.length === 0 ? {} : { env: variables }),
    ...(mounts.length === 0 ? {} : { volumeMounts: mounts }),
    ...(postStart === undefined ? {} : { lifecycle: { ...lifecycle, postStart } }),
  };
}

const acts = (handler: Handler | undefined): boolean =>
  handler?.exec !== undefined || handler?.httpGet !== undefined || handler?.tcpSocket !== undefined;

/** The runtime's command, which gets the user's own after `--`. Undefined: the container keeps what it has. */
function started(injected: Handler | undefined, own: Handler | undefined): Handler | undefined {
  if (!acts(injected)) return undefined;
  if (!acts(own)) return injected;
  if (injected?.exec === undefined || own?.exec === undefined) return undefined;
  const command = own.exec.command ?? [];
  const first = injected.exec.command ?? [];
  return { exec: { command: command.length === 0 ? first : [...first, '--', ...command] } };
}
