import { type Attributes, isResource } from './attributes';

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

const has = (list: readonly string[] | undefined, wanted: string) =>
  list !== undefined && (list.includes('*') || list.includes(wanted));

function coversResource(resources: readonly string[] | undefined, resource: string, subresource: string): boolean {
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  // `*/scale` is the subresource of everything.
  return has(resources, full) || (subresource !== '' && resources?.includes(`*/${subresource}`) === true);
}

function coversPath(urls: readonly string[] | undefined, path: string): boolean {
  return urls?.some((url) => (url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path)) === true;
}

/** Whether a rule allows something. */
export function allows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false;
  if (!isResource(attributes)) return coversPath(rule.nonResourceURLs, attributes.path);
  const { group, resource, subresource, name } = attributes;
  const { resourceNames = [] } = rule;
  return (
    has(rule.apiGroups, group) &&
    coversResource(rule.resources, resource, subresource) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}

/** A rule taken apart: one verb on one resource (of one name, if any is named) or one path. */
function parts(rule: PolicyRule): PolicyRule[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  return verbs.flatMap((verb) => [
    ...nonResourceURLs.map((url): PolicyRule => ({ verbs: [verb], nonResourceURLs: [url] })),
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) => {
        const one: PolicyRule = { verbs: [verb], apiGroups: [group], resources: [resource] };
        return resourceNames.length === 0 ? [one] : resourceNames.map((name) => ({ ...one, resourceNames: [name] }));
      }),
    ),
  ]);
}

/** Whether every single thing that `wanted` allows is allowed by one of the rules; `*` by `*` only. */
export function covered(rules: readonly PolicyRule[], wanted: PolicyRule): boolean {
  return parts(wanted).every(({ verbs: [verb = ''], apiGroups, resources, resourceNames, nonResourceURLs }) =>
    rules.some((rule) => {
      const [path] = nonResourceURLs ?? [];
      if (path !== undefined) return allows(rule, { verb, path });
      const [resource = '', subresource = ''] = (resources?.[0] ?? '').split('/');
      const attributes = { verb, group: apiGroups?.[0] ?? '', resource, subresource, namespace: '' };
      return allows(rule, { ...attributes, name: resourceNames?.[0] ?? '' });
    }),
  );
}
