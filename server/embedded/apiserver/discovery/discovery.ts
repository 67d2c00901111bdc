import { createHash } from 'node:crypto';
import { REVIEWS } from '../auth/reviews';
import { apiVersionOf, type KindDefinition } from '../core/kind-definition';
import type { KindRegistry } from '../core/kind-registry';
import { definitionOf } from '../core/subresources';

/** The version that this server speaks for. */
export const VERSION = {
  major: '1',
  minor: '35',
  emulationMajor: '1',
  emulationMinor: '35',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '34',
  gitVersion: 'v1.35.4-embedded',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
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

/** What tells a client that a kind is stored in another version than before. */
function storageVersionHash({ group, version, kind }: KindDefinition): string {
  const digest = createHash('sha256').update(`${group}/${version}/${kind}`).digest();
  return digest.subarray(0, 8).toString('base64');
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
      ...(kind.verbs.includes('list') ? { storageVersionHash: storageVersionHash(kind) } : {}),
    },
    ...kind.subresources.map((name) => ({
      name: `${kind.plural}/${name}`,
      singularName: '',
      namespaced: kind.namespaced,
      ...(definitionOf(name).group === undefined ? {} : { group: definitionOf(name).group, version: 'v1' }),
      kind: definitionOf(name).kind ?? kind.kind,
      verbs: definitionOf(name).verbs,
    })),
  ]);
  const reviews = REVIEWS.filter(({ group }) => group === groupVersion.group).map(({ plural, kind, namespaced }) => ({
    name: plural,
    singularName: kind.toLowerCase(),
    namespaced,
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
            ...REVIEWS.filter(({ group }) => group === name).map(({ plural, kind, namespaced }) => ({
              resource: plural,
              responseKind: { group: '', version: '', kind },
              scope: namespaced ? 'Namespaced' : 'Cluster',
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
  // Built-in kinds leave out what the group around them says already.
  const { group, version } = kind.isCustom !== true ? { group: '', version: '' } : kind;
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
            responseKind: {
              group: definitionOf(name).group ?? group,
              version: definitionOf(name).group === undefined ? version : 'v1',
              kind: definitionOf(name).kind ?? kind.kind,
            },
            verbs: definitionOf(name).verbs,
          })),
        }),
  };
}
