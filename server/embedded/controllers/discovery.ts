import { z } from 'zod';
import { type Api, isNotFound } from './client/api';
import type { Resource } from './client/resources';

const groupsSchema = z.looseObject({
  groups: z.array(z.looseObject({ name: z.string(), preferredVersion: z.looseObject({ version: z.string() }) })),
});
const kindsSchema = z.looseObject({
  resources: z.array(
    z.looseObject({ name: z.string(), kind: z.string(), namespaced: z.boolean(), verbs: z.array(z.string()) }),
  ),
});

/** Every kind of which objects can be listed, watched and deleted, in the preferred version of its group. */
export async function deletableResources(api: Api): Promise<Resource[]> {
  const { groups } = groupsSchema.parse(await api.get('/apis'));
  const versions = groups.map(({ name, preferredVersion }) => ({ group: name, version: preferredVersion.version }));
  const lists = await Promise.all([{ group: '', version: 'v1' }, ...versions].map((each) => resourcesIn(api, each)));
  return lists.flat();
}

async function resourcesIn(api: Api, { group, version }: Pick<Resource, 'group' | 'version'>): Promise<Resource[]> {
  let body: unknown;
  try {
    body = await api.get(group === '' ? `/api/${version}` : `/apis/${group}/${version}`);
  } catch (error) {
    // Its last kind has gone since the groups were read.
    if (isNotFound(error)) return [];
    throw error;
  }
  return kindsSchema
    .parse(body)
    .resources.filter(({ verbs }) => ['list', 'watch', 'delete'].every((verb) => verbs.includes(verb)))
    .map(({ name: plural, kind, namespaced }) => ({ group, version, plural, kind, namespaced }));
}
