import type { KindRegistry } from './kind-registry';
import { apiVersionOf, type KindDefinition } from './kinds';

const SUBRESOURCE_VERBS: Record<KindDefinition['subresources'][number], readonly string[]> = {
  binding: ['create'],
  finalize: ['update'],
  scale: ['get', 'patch', 'update'],
  status: ['get', 'patch', 'update'],
};

/** Resources that are answered by the server itself and hold no objects. */
const REVIEWS: readonly { group: string; plural: string; kind: string }[] = [
  { group: 'authentication.k8s.io', plural: 'selfsubjectreviews', kind: 'SelfSubjectReview' },
  { group: 'authorization.k8s.io', plural: 'selfsubjectaccessreviews', kind: 'SelfSubjectAccessReview' },
  { group: 'authorization.k8s.io', plural: 'selfsubjectrulesreviews', kind: 'SelfSubjectRulesReview' },
];

/** The version that this server speaks for. */
export const VERSION = {
  major: '1',
  minor: '35',
  gitVersion: 'v1.35.4-embedded',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: `${process.platform}/${process.arch}`,
};

interface GroupVersion {
  group: string;
  version: string;
}

/** The named groups that exist, each with its versions, core left out. */
export function groupVersions(kinds: KindRegistry): GroupVersion[] {
  const found = new Map<string, GroupVersion>();
  for (const { group, version } of kinds.all()) if (group !== '') found.set(`${group}/${version}`, { group, version });
  for (const { group } of REVIEWS) found.set(`${group}/v1`, { group, version: 'v1' });
  return [...found.values()];
}

export function hasGroupVersion(kinds: KindRegistry, group: string, version: string): boolean {
  return (
    kinds.serves(group, version) ||
    groupVersions(kinds).some((each) => each.group === group && each.version === version)
  );
}

const served = ({ group, version }: GroupVersion) => ({ groupVersion: `${group}/${version}`, version });

function groupOf(name: string, versions: readonly GroupVersion[]) {
  const [preferred] = versions;
  return {
    name,
    versions: versions.map(served),
    ...(preferred === undefined ? {} : { preferredVersion: served(preferred) }),
  };
}

export function apiVersions(address: string): object {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

export function apiGroupList(kinds: KindRegistry): object {
  const all = groupVersions(kinds);
  const names = [...new Set(all.map(({ group }) => group))];
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: names.map((name) =>
      groupOf(
        name,
        all.filter(({ group }) => group === name),
      ),
    ),
  };
}

/** One APIGroup, or undefined when there is no such group. */
export function apiGroup(kinds: KindRegistry, name: string): object | undefined {
  const versions = groupVersions(kinds).filter(({ group }) => group === name);
  return versions.length === 0 ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(name, versions) };
}

const byPlural = (a: { plural: string }, b: { plural: string }) => (a.plural < b.plural ? -1 : 1);

function kindsIn(kinds: KindRegistry, { group, version }: GroupVersion): KindDefinition[] {
  return kinds
    .all()
    .filter((kind) => kind.group === group && kind.version === version)
    .sort(byPlural);
}

export function apiResourceList(kinds: KindRegistry, groupVersion: GroupVersion): object {
  const resources = kindsIn(kinds, groupVersion).flatMap((kind) => [
    {
      name: kind.plural,
      singularName: kind.singular,
      namespaced: kind.namespaced,
      kind: kind.kind,
      verbs: kind.verbs,
      ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
      ...(kind.categories === undefined ? {} : { categories: kind.categories }),
    },
    ...kind.subresources.map((name) => ({
      name: `${kind.plural}/${name}`,
      singularName: '',
      namespaced: kind.namespaced,
      ...(name === 'scale'
        ? { group: 'autoscaling', version: 'v1', kind: 'Scale' }
        : { kind: subresourceKind(kind, name) }),
      verbs: SUBRESOURCE_VERBS[name],
    })),
  ]);
  const reviews = REVIEWS.filter(({ group }) => group === groupVersion.group).map(({ plural, kind }) => ({
    name: plural,
    singularName: kind.toLowerCase(),
    namespaced: false,
    kind,
    verbs: ['create'],
  }));
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf(groupVersion),
    resources: [...resources, ...reviews],
  };
}

function subresourceKind(kind: KindDefinition, name: KindDefinition['subresources'][number]): string {
  return name === 'binding' ? 'Binding' : kind.kind;
}

/** Aggregated discovery (apidiscovery.k8s.io/v2), for `/api` (the core group) or `/apis` (all others). */
export function aggregatedDiscovery(kinds: KindRegistry, core: boolean): object {
  const versions = core ? [{ group: '', version: 'v1' }] : groupVersions(kinds);
  const names = [...new Set(versions.map(({ group }) => group))];
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: names.map((name) => ({
      metadata: name === '' ? {} : { name },
      versions: versions
        .filter(({ group }) => group === name)
        .map((groupVersion) => ({
          version: groupVersion.version,
          resources: [
            ...kindsIn(kinds, groupVersion).map(aggregatedResource),
            ...REVIEWS.filter(({ group }) => group === name).map(({ plural, kind }) => ({
              resource: plural,
              responseKind: { group: name, version: 'v1', kind },
              scope: 'Cluster',
              singularResource: kind.toLowerCase(),
              verbs: ['create'],
            })),
          ],
          freshness: 'Current',
        })),
    })),
  };
}

function aggregatedResource(kind: KindDefinition): object {
  const { group, version } = kind;
  return {
    resource: kind.plural,
    responseKind: { group, version, kind: kind.kind },
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: kind.verbs,
    ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
    ...(kind.categories === undefined ? {} : { categories: kind.categories }),
    ...(kind.subresources.length === 0
      ? {}
      : {
          subresources: kind.subresources.map((name) => ({
            subresource: name,
            responseKind:
              name === 'scale'
                ? { group: 'autoscaling', version: 'v1', kind: 'Scale' }
                : { group, version, kind: subresourceKind(kind, name) },
            verbs: SUBRESOURCE_VERBS[name],
          })),
        }),
  };
}
