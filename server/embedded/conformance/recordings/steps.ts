import { type Api, ApiError, type PatchType } from '../../controllers/client/api';
import { collectionPath, objectPath, type Resource, resources } from '../../controllers/client/resources';
import type { Step } from './recording';

const resourcequotas: Resource = {
  group: '',
  version: 'v1',
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
};
const known: Resource[] = [...Object.values(resources), resourcequotas];
const shortNames: Record<string, Resource> = {
  sbs: resources.sandboxsets,
  sbx: resources.sandboxes,
  sbc: resources.sandboxclaims,
  sbt: resources.sandboxtemplates,
  suo: resources.sandboxupdateops,
  cp: resources.checkpoints,
  quota: resourcequotas,
};

/** One request of a step: what it is about, and how it is sent. */
export interface Request {
  resource: Resource;
  name: string;
  /** The name is new, not one of the recording's objects. */
  creates: boolean;
  send(api: Api, namespace: string, name: string): Promise<unknown>;
}

const notUnderstood = (step: Step): Error => new Error(`step not understood: ${step.action}`);

/** `time` moves the times in a body: they count from the run, not from the recording. */
export function requestOf(step: Step, time: (text: string) => string): Request {
  const [command, verb = '', ...rest] = words(step.action);
  if (command === 'POST') return createFrom(step, time);
  if (command !== 'kubectl') throw notUnderstood(step);
  if ((verb === 'create' || verb === 'apply') && rest[0] === '-f') return createFrom(step, time, verb === 'apply');
  if (verb === 'create' && rest[0] === 'quota') return createQuota(step, rest);
  const [kindAndName = '', second = ''] = rest;
  const [kind = '', slashName] = kindAndName.split('/');
  const name = slashName ?? second;
  const resource = resourceNamed(kind);
  const args = slashName === undefined ? rest.slice(2) : rest.slice(1);
  if (resource === undefined || name === '' || name.startsWith('-')) throw notUnderstood(step);
  const at = (send: (api: Api, path: string) => Promise<unknown>): Request => ({
    resource,
    name,
    creates: false,
    send: (api, namespace, actual) => send(api, objectPath(resource, { metadata: { name: actual, namespace } })),
  });
  switch (verb) {
    case 'delete':
      return at((api, path) => api.remove(path));
    case 'scale': {
      const replicas = Number(option(args, '--replicas'));
      return at((api, path) => api.patch(`${path}/scale`, { spec: { replicas } }));
    }
    case 'annotate':
    case 'label': {
      const field = verb === 'label' ? 'labels' : 'annotations';
      const pairs = args.filter((arg) => !arg.startsWith('--')).map(keyAndValue);
      return at((api, path) => api.patch(path, { metadata: { [field]: Object.fromEntries(pairs) } }));
    }
    case 'patch': {
      const body: unknown = JSON.parse(time(option(args, '-p') ?? option(args, '--patch') ?? ''));
      const type = (option(args, '--type') ?? 'merge') as PatchType;
      const subresource = option(args, '--subresource');
      return at((api, path) => api.patch(subresource === undefined ? path : `${path}/${subresource}`, body, type));
    }
    default:
      throw notUnderstood(step);
  }
}

/** Sends it, and expects to be refused where the recording was. */
export async function perform(api: Api, namespace: string, step: Step, request: Request, name: string): Promise<void> {
  try {
    await request.send(api, namespace, name);
  } catch (error) {
    if (error instanceof ApiError && error.code !== 0 && step.failed === true) return;
    throw error;
  }
  if (step.failed === true) throw new Error(`refused in the recording, accepted here: ${step.action}`);
}

function createFrom(step: Step, time: (text: string) => string, apply = false): Request {
  const body = JSON.parse(time(step.stdin ?? '')) as { kind?: string; metadata?: { name?: string } };
  const resource = known.find(({ kind }) => kind === body.kind);
  if (resource === undefined) throw notUnderstood(step);
  const name = body.metadata?.name ?? '';
  return {
    resource,
    name,
    creates: true,
    send: async (api, namespace) => {
      try {
        return await api.create(collectionPath(resource, namespace), body);
      } catch (error) {
        if (!apply || !(error instanceof ApiError) || error.code !== 409) throw error;
        return await api.patch(objectPath(resource, { metadata: { name, namespace } }), body);
      }
    },
  };
}

function createQuota(step: Step, rest: string[]): Request {
  const [, name = ''] = rest;
  const hard = Object.fromEntries((option(rest, '--hard') ?? '').split(',').map((pair) => pair.split('=')));
  if (name === '') throw notUnderstood(step);
  const body = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec: { hard } };
  return {
    resource: resourcequotas,
    name,
    creates: true,
    send: (api, namespace) => api.create(collectionPath(resourcequotas, namespace), body),
  };
}

function resourceNamed(kind: string): Resource | undefined {
  const [plain = ''] = kind.toLowerCase().split('.');
  return (
    shortNames[plain] ??
    known.find((one) => one.plural === plain || one.kind.toLowerCase() === plain || `${plain}s` === one.plural)
  );
}

/** `--name value` or `--name=value`. */
function option(args: string[], name: string): string | undefined {
  const at = args.indexOf(name);
  if (at >= 0) return args[at + 1];
  return args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
}

function keyAndValue(pair: string): [string, string | null] {
  if (pair.endsWith('-') && !pair.includes('=')) return [pair.slice(0, -1), null];
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/** The words of a command line; a quoted one may hold blanks. */
const words = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
