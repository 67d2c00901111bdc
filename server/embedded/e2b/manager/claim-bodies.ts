import { randomUUID } from 'node:crypto';
import { type Sandbox, type SandboxSet, sandboxSchema } from '../../controllers/client/objects';
import { timestamp } from '../../controllers/rules/conditions';
import { annotation, label } from '../../controllers/rules/keys';
import { changedContainers } from '../../controllers/sandboxclaim/bodies';
import { memberOf } from '../../controllers/sandboxset/members';
import type { Revision } from '../../controllers/sandboxset/revision';
import { type Ends, endsOfCreate } from './ends';
import type { Extensions } from './extensions';
import type { Network } from './requests';
import { shown } from './sandbox-view';

/** What a create wants, checked. */
export interface Wanted {
  owner: string;
  templateID: string;
  timeoutSeconds: number;
  autoPause: boolean;
  allowInternet: boolean;
  env: Record<string, string>;
  network: Pick<Network, 'allowOut' | 'denyOut'> | undefined;
  extensions: Extensions;
}

const allowInternetLabel = 'agents.kruise.io/allow-internet-access';

/** Whether a claimed member has to change in place, which takes time. */
export const changesContainers = ({ extensions: { image, cpu } }: Wanted): boolean =>
  image !== undefined || cpu.requests !== undefined || cpu.limits !== undefined;

const endsOf = ({ timeoutSeconds, autoPause, extensions }: Wanted): Ends =>
  endsOfCreate(timeoutSeconds, autoPause, extensions.neverTimeout, extensions.reservePaused);

/** In the order of upstream's fields, as the annotation keeps their text. */
function claimAnnotations({ owner, env, network, extensions }: Wanted): Record<string, string> {
  const { labels, annotations, skipInitRuntime, returnSandboxIp, reservePaused } = extensions;
  const token = randomUUID();
  const names = (map: object, field: string) => (Object.keys(map).length === 0 ? {} : { [field]: Object.keys(map) });
  const updated = { ...names(labels, 'labels'), ...names(annotations, 'annotations') };
  const request = { ...(Object.keys(env).length === 0 ? {} : { envVars: env }), accessToken: token };
  return {
    ...annotations,
    [annotation.claimTimestamp]: timestamp(),
    [annotation.lock]: randomUUID(),
    [annotation.owner]: owner,
    [annotation.reservePaused]: reservePaused,
    ...(skipInitRuntime ? {} : { [annotation.initRequest]: JSON.stringify(request), [annotation.accessToken]: token }),
    ...(Object.keys(updated).length === 0 ? {} : { [annotation.claimMetadata]: JSON.stringify(updated) }),
    ...(network === undefined ? {} : { [shown.network]: JSON.stringify(network) }),
    ...(returnSandboxIp ? { [shown.ip]: 'true' } : {}),
  };
}

function containersOf(template: Sandbox['spec']['template'], { extensions: { image, cpu } }: Wanted) {
  const size = (['requests', 'limits'] as const).flatMap((kind) =>
    cpu[kind] === undefined ? [] : [[kind, { cpu: cpu[kind] }] as const],
  );
  return changedContainers(template, {
    ...(image === undefined ? {} : { image }),
    ...(size.length === 0 ? {} : { resources: Object.fromEntries(size) }),
  });
}

/** The one write that takes a member out of its pool (recorded: k8s-claim 1795), refused when it has changed meanwhile. */
export function warmBody(sandbox: Sandbox, wanted: Wanted): unknown {
  const { template } = sandbox.spec;
  const { name, resourceVersion } = sandbox.metadata;
  const labels = { ...wanted.extensions.labels, [allowInternetLabel]: String(wanted.allowInternet) };
  const containers = changesContainers(wanted) ? containersOf(template, wanted) : undefined;
  return {
    metadata: {
      resourceVersion,
      ownerReferences: null,
      labels: { ...labels, [label.claimed]: 'true' },
      annotations: claimAnnotations(wanted),
    },
    spec: {
      ...endsOf(wanted),
      ...(template === undefined
        ? {}
        : {
            template: {
              metadata: { labels: { ...labels, [label.owner]: wanted.owner, [label.sandboxName]: name } },
              ...(containers === undefined ? {} : { spec: { containers } }),
            },
          }),
    },
  };
}

/** A sandbox made for the request (recorded: k8s-claim-autopause 3636): like a member, but born claimed and with priority. */
export function coldBody(set: SandboxSet, revision: Revision, wanted: Wanted): unknown {
  const member = sandboxSchema.omit({ metadata: true }).parse(memberOf(set, revision));
  const { template } = revision;
  const labels = {
    ...template.metadata?.labels,
    ...wanted.extensions.labels,
    [allowInternetLabel]: String(wanted.allowInternet),
    [label.owner]: wanted.owner,
    [label.claimed]: 'true',
    // A name is generated after this is written.
    [label.sandboxName]: '',
    [label.pool]: set.metadata.name,
    [label.template]: set.spec.templateRef?.name ?? set.metadata.name,
  };
  const containers = changesContainers(wanted) ? containersOf(template, wanted) : undefined;
  return {
    apiVersion: 'agents.kruise.io/v1alpha1',
    kind: 'Sandbox',
    metadata: {
      generateName: `${set.metadata.name}-`,
      namespace: set.metadata.namespace,
      labels,
      annotations: { ...template.metadata?.annotations, ...claimAnnotations(wanted), [annotation.priority]: '100' },
    },
    spec: {
      ...member.spec,
      ...(set.spec.template === undefined
        ? {}
        : {
            template: {
              ...template,
              metadata: { ...template.metadata, labels },
              spec: containers === undefined ? template.spec : { ...template.spec, containers },
            },
          }),
      ...endsOf(wanted),
    },
  };
}
