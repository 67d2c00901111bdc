import { resources } from '../../controllers/client/resources';
import { type AnyObject, condition, type Stage } from './stage';

export const runtimeByTag = 'registry.local/agents/agent-runtime:v0.6.0';
export const runtimeByDigest = `registry.local/agents/agent-runtime@sha256:${'c3d4'.repeat(16)}`;
export const image = (tag = 'v1') => `registry.local/agents/practice:${tag}`;

interface TemplateOptions {
  image?: string;
  /** Image of the runtime's init container; null for none. */
  runtime?: string | null;
  annotations?: Record<string, string>;
  spec?: object;
}

/** A small Pod template with a runtime, as those of the recordings. */
export function template({ image: main = image(), runtime = runtimeByTag, annotations, spec }: TemplateOptions = {}) {
  return {
    metadata: { labels: { app: 'practice' }, ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      ...(runtime === null ? {} : { initContainers: [{ name: 'runtime', image: runtime, restartPolicy: 'Always' }] }),
      containers: [
        {
          name: 'sandbox',
          image: main,
          env: [{ name: 'MODE', value: 'dev' }],
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
        },
      ],
      ...spec,
    },
  };
}

const batch = { batch: 'a' };

/** A sandbox of its own, up to Running and Ready. */
export async function sandbox(
  stage: Stage,
  name: string,
  options: TemplateOptions & { metadata?: object; more?: object } = {},
) {
  const { metadata, more, ...of } = options;
  await stage.create(resources.sandboxes, name, { template: template(of), ...more }, { labels: batch, ...metadata });
  return ready(stage, name);
}

export const isReady = (object: AnyObject) =>
  object.status?.phase === 'Running' &&
  condition(object, 'Ready').status === 'True' &&
  object.status.observedGeneration === object.metadata.generation;

export const ready = (stage: Stage, name: string) => stage.object(resources.sandboxes, name, isReady);

/** Pauses it and waits until its Pod is gone. */
export async function pause(stage: Stage, name: string): Promise<void> {
  await stage.patch(resources.sandboxes, name, { spec: { paused: true } });
  await stage.object(resources.sandboxes, name, (it) => condition(it, 'SandboxPaused').status === 'True');
}

/** Asks it to come back and waits until that has begun. */
export async function resume(stage: Stage, name: string): Promise<void> {
  await stage.patch(resources.sandboxes, name, { spec: { paused: false } });
  await stage.object(resources.sandboxes, name, ({ status }) => status?.phase !== 'Paused');
}

/** A pool, up to full unless `full` is false. */
export async function pool(
  stage: Stage,
  name: string,
  {
    replicas = 2,
    full = true,
    more = {},
    ...of
  }: TemplateOptions & { replicas?: number; full?: boolean; more?: object } = {},
): Promise<AnyObject[]> {
  await stage.create(resources.sandboxsets, name, { replicas, template: template(of), ...more });
  return full ? poolFull(stage, name, replicas) : [];
}

/** Waits until as many members are available, by the pool's own count, and returns them. */
export async function poolFull(stage: Stage, name: string, replicas: number): Promise<AnyObject[]> {
  await stage.object(resources.sandboxsets, name, ({ status, metadata }) => {
    return status?.availableReplicas === replicas && status.observedGeneration === metadata.generation;
  });
  return members(stage, name);
}

/** The unclaimed sandboxes of a pool. */
export const members = async (stage: Stage, name: string): Promise<AnyObject[]> =>
  (await stage.list(resources.sandboxes, `agents.kruise.io/sandbox-pool=${name}`)).filter(({ metadata }) =>
    metadata.ownerReferences.some(({ kind }) => kind === 'SandboxSet'),
  );

/** A claim, up to Completed; returns the sandboxes it took. */
export async function claim(stage: Stage, name: string, templateName: string, spec: object = {}): Promise<AnyObject[]> {
  await stage.create(resources.sandboxclaims, name, { templateName, ttlAfterCompleted: '-1s', ...spec });
  await stage.object(resources.sandboxclaims, name, ({ status }) => status?.phase === 'Completed');
  return stage.list(resources.sandboxes, `agents.kruise.io/claim-name=${name}`);
}

const setImage = (main: string) => ({ spec: { containers: [{ name: 'sandbox', image: main }] } });
export const newImage = (tag = 'v2') => ({ patch: setImage(image(tag)) });

/** An update of every sandbox that {@link sandbox} makes. */
export const update = (stage: Stage, name: string, spec: object): Promise<unknown> =>
  stage.create(resources.sandboxupdateops, name, { selector: { matchLabels: batch }, ...spec });

/** Changes the image of a pool's or a sandbox's template, and nothing else. */
export const changeImage = (
  stage: Stage,
  resource: (typeof resources)['sandboxsets' | 'sandboxes' | 'sandboxtemplates'],
  name: string,
  main: string,
) =>
  stage.patch(resource, name, [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: main }], 'json');

export const upgradingReason = (reason: string) => (it: AnyObject) => condition(it, 'Upgrading').reason === reason;
/** A label that no node has: Pods that want it stay Pending. */
export const nowhere = { nodeSelector: { 'sim.local/no-such-node': 'true' } };
