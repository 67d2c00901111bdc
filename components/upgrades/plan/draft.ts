import { z } from 'zod';
import { chosenSandbox, type UpgradeHook, upgradeHook } from '@/lib/contracts/upgrades';

/**
 * What has been typed into the form so far, whether or not it is right yet. Each field falls back alone: what an older
 * console or a curious person wrote into the browser's storage loses the form nothing else.
 */
const text = z.string().catch('');

const labelRow = z.object({
  key: text,
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']).catch('In'),
  /** Separated by commas. */
  values: text,
});
export type LabelRow = z.infer<typeof labelRow>;

const hook = z.object({
  on: z.boolean().catch(false),
  /** `shell`: one line for `/bin/sh -c`; `argv`: one argument a line. */
  kind: z.enum(['shell', 'argv']).catch('shell'),
  command: text,
  /** Seconds; empty is the controller's default. */
  timeout: text,
});
export type HookDraft = z.infer<typeof hook>;
const noHook: HookDraft = { on: false, kind: 'shell', command: '', timeout: '' };

/** Where sandboxes that were not chosen by hand come from; operations are of the plan's namespace. */
export const origin = z.discriminatedUnion('as', [
  /** They are in trouble in an operation; `reason` is that of their Upgrading condition. */
  z.object({ as: z.literal('troubled'), operation: z.string(), reason: z.string() }),
  /** An operation changed them, which is undone; `hooks` are those it ran. */
  z.object({
    as: z.literal('rollBack'),
    operation: z.string(),
    hooks: z.object({ preUpgrade: upgradeHook.optional(), postUpgrade: upgradeHook.optional() }),
  }),
  /** They matched what was chosen here before, when the list was fixed. */
  z.object({ as: z.literal('seen') }),
]);

const restore = z.object({ operation: z.object({ uid: z.string(), name: z.string() }), group: z.string() });

export const planDraft = z.object({
  version: z.literal(1),
  id: z.string().min(1),
  /** Epoch ms of the last change. */
  savedAt: z.number(),
  /** Something was typed: before that it is only a place that a link led to. */
  edited: z.boolean().catch(true),
  namespace: text,
  targetsBy: z.enum(['pool', 'labels', 'selection']).catch('pool'),
  pool: text,
  labels: z.array(labelRow).catch([]),
  sandboxes: z.array(chosenSandbox).catch([]),
  /** Absent: `sandboxes` were chosen by hand. */
  origin: origin.optional().catch(undefined),
  running: z.boolean().catch(true),
  paused: z.boolean().catch(false),
  changeBy: z.enum(['patch', 'restore', 'none']).catch('patch'),
  /** The strategic merge patch as YAML: the one truth behind form and editor. */
  patch: text,
  restore: restore.optional().catch(undefined),
  strategy: z.enum(['Recreate', 'CheckpointRestore']).catch('Recreate'),
  maxUnavailable: text,
  preUpgrade: hook.catch(noHook),
  postUpgrade: hook.catch(noHook),
  startPaused: z.boolean().catch(false),
  guardFailures: text,
  guardRate: text,
  name: text,
  reason: text,
});
export type PlanDraft = z.infer<typeof planDraft>;

export const emptyLabelRow: LabelRow = { key: '', operator: 'In', values: '' };

/** A name nobody else has taken: what it is for, and when it was planned (UTC). */
export function suggestName(now: number, pool: string): string {
  const stamp = new Date(now).toISOString().slice(0, 16).replace(/[-:]/g, '').replace('T', '-');
  // The name is also a label's value, of at most 63 characters; pools may have dots in theirs.
  const base = pool.replaceAll('.', '-').slice(0, 49) || 'upgrade';
  return `${base}-${stamp}`;
}

/** An untouched form. `now` is epoch ms. */
export function newDraft(now: number, over: Partial<PlanDraft> = {}): PlanDraft {
  return {
    version: 1,
    id: crypto.randomUUID(),
    savedAt: now,
    edited: false,
    namespace: '',
    targetsBy: 'pool',
    pool: '',
    labels: [emptyLabelRow],
    sandboxes: [],
    running: true,
    paused: false,
    changeBy: 'patch',
    patch: '',
    strategy: 'Recreate',
    maxUnavailable: '10%',
    preUpgrade: noHook,
    postUpgrade: noHook,
    startPaused: false,
    guardFailures: '',
    guardRate: '',
    name: suggestName(now, over.pool ?? ''),
    reason: '',
    ...over,
  };
}

/** How {@link argvOf} writes a shell line. */
const shell = ['/bin/sh', '-c'] as const;

/** The words a hook runs. An argument that holds a line break stands in the text as a JSON string. */
export function argvOf({ kind, command }: HookDraft): string[] {
  if (kind === 'shell') return command.trim() === '' ? [] : [...shell, command];
  return command
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => (line.startsWith('"') ? (z.string().safeParse(jsonOf(line)).data ?? line) : line));
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The hook of an operation as the form shows it. */
export function hookDraft(given: UpgradeHook | undefined): HookDraft {
  if (!given) return noHook;
  const timeout = given.timeoutSeconds === undefined ? '' : String(given.timeoutSeconds);
  const [program, flag, line, ...rest] = given.command;
  if (program === shell[0] && flag === shell[1] && line !== undefined && rest.length === 0) {
    return { on: true, kind: 'shell', command: line, timeout };
  }
  const lines = given.command.map((word) => (/\n|^"|^\s*$/.test(word) ? JSON.stringify(word) : word));
  return { on: true, kind: 'argv', command: lines.join('\n'), timeout };
}
