import type { AdmissionPlugin } from '../core/admission';
import { textOf } from '../core/objects';
import type { Principal } from '../core/principal';
import type { Target } from '../core/reads';
import { StatusError } from '../core/status';
import type { Storage } from '../core/storage';
import { isResource } from './attributes';
import { authorize, referencedRules, rulesFor, rulesOf } from './rbac';
import { covered, type PolicyRule } from './rules';

const GROUP = 'rbac.authorization.k8s.io';

const goList = (list: readonly string[]) => `[${list.map((item) => JSON.stringify(item)).join(' ')}]`;

function goRule({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): string {
  const fields = { APIGroups: apiGroups, Resources: resources, ResourceNames: resourceNames };
  const all = Object.entries({ ...fields, NonResourceURLs: nonResourceURLs, Verbs: verbs });
  const texts = all.map(([name, list]) => (list === undefined || list.length === 0 ? '' : `${name}:${goList(list)}`));
  return `{${texts.filter((text) => text !== '').join(', ')}}`;
}

/** Nobody gives away rights they do not have, unless they may `escalate` the role or `bind` to it. */
export const escalation = (storage: Storage): AdmissionPlugin => ({
  check: (caller, target, draft) => checkEscalation(storage, caller, target, draft),
});

function checkEscalation(storage: Storage, principal: Principal, target: Target, object: object): void {
  const { kind, namespace } = target;
  if (kind.group !== GROUP) return;
  const isBinding = kind.kind.endsWith('Binding');
  const name = textOf(object, 'metadata', 'name') || target.name;
  const attributes = isBinding
    ? {
        verb: 'bind',
        resource: `${textOf(object, 'roleRef', 'kind').toLowerCase()}s`,
        name: textOf(object, 'roleRef', 'name'),
      }
    : { verb: 'escalate', resource: kind.plural, name };
  const wanted = { group: GROUP, subresource: '', namespace, ...attributes };
  if (isResource(wanted) && authorize(storage, principal, wanted).allowed) return;
  const rules = isBinding ? (referencedRules(storage, object, namespace) ?? []) : rulesOf(object);
  const own = rulesFor(storage, principal, namespace);
  const missing = rules.filter((rule) => !covered(own, rule));
  if (missing.length === 0) return;
  const who = `user ${JSON.stringify(principal.user)} (groups=${goList(principal.groups)})`;
  const what = `is attempting to grant RBAC permissions not currently held:\n${missing.map(goRule).join('\n')}`;
  throw new StatusError(
    403,
    `${kind.plural}.${GROUP} ${JSON.stringify(name)} is forbidden: ${who} ${what}`,
    'Forbidden',
    {
      name,
      group: GROUP,
      kind: kind.plural,
    },
  );
}
