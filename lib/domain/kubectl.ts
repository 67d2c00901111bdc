import type { SandboxChange } from '@/lib/contracts/sandbox-writes';
import type { JsonPatchOp } from '@/lib/contracts/writes';

/** The line that does the same in a terminal. Kinds are plurals or short names as kubectl takes them. */
export function kubectlScale(ns: string, name: string, from: number, to: number): string {
  return `kubectl -n ${quote(ns)} scale sbs/${quote(name)} --current-replicas=${from} --replicas=${to}`;
}

export function kubectlJsonPatch(ns: string, kind: string, name: string, patch: JsonPatchOp[]): string {
  return `kubectl -n ${quote(ns)} patch ${kind}/${quote(name)} --type=json -p ${quote(JSON.stringify(patch))}`;
}

/** kubectl knows no precondition: the line deletes whatever has the name by then. */
export function kubectlDelete(ns: string, kind: string, name: string): string {
  return `kubectl -n ${quote(ns)} delete ${kind}/${quote(name)}`;
}

/** A merge patch: for fields of an object, never for an entry of a list, which it would replace as a whole. */
export function kubectlMergePatch(ns: string, kind: string, name: string, patch: object): string {
  return `kubectl -n ${quote(ns)} patch ${kind}/${quote(name)} --type=merge -p ${quote(JSON.stringify(patch))}`;
}

/** What does the same to a sandbox, before the server has given its own, exact line. [] where that takes the object. */
export function kubectlOfSandboxChange({ ns, name }: { ns: string; name: string }, change: SandboxChange): string[] {
  const spec = (fields: object) => [kubectlMergePatch(ns, 'sbx', name, { spec: fields })];
  switch (change.action) {
    case 'pauseSandbox':
      return spec({ paused: true });
    case 'resumeSandbox':
      return spec({ paused: false });
    case 'setDeadline':
      return change.to === undefined ? [] : spec({ [change.field]: change.to });
    case 'deletePod':
      return [kubectlDelete(ns, 'pod', name)];
    case 'deleteSandbox':
      return [kubectlDelete(ns, 'sbx', name)];
    case 'changeImages':
    case 'removeFinalizer':
      return [];
  }
}

export function kubectlGet(ns: string | undefined, kind: string, name?: string, output?: string): string {
  const object = name === undefined ? kind : `${kind}/${quote(name)}`;
  return `kubectl ${scope(ns)}get ${object}${output === undefined ? '' : ` -o ${quote(output)}`}`;
}

export function kubectlDescribe(ns: string | undefined, kind: string, name: string): string {
  return `kubectl ${scope(ns)}describe ${kind}/${quote(name)}`;
}

/** The smallest question to an API server. Without a context it is the current one, or the Pod's own. */
export function kubectlVersion(context: string | undefined): string {
  return `kubectl ${context === undefined ? '' : `--context ${quote(context)} `}version`;
}

function scope(ns: string | undefined): string {
  return ns === undefined ? '' : `-n ${quote(ns)} `;
}

/** Quoted for a POSIX shell when it holds anything a shell would read. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
