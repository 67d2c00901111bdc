import { type LabelSelector, selectionLabel, type UpgradeTargets } from '@/lib/contracts/upgrades';

/** A member of a pool keeps this label after it was claimed; the sandbox-template label holds another name under a templateRef (T23). */
const poolLabel = 'agents.kruise.io/sandbox-pool';

/** metav1.LabelSelector against the labels of an object. An operator that nobody knows selects nothing. */
export function selects(selector: LabelSelector, labels: Readonly<Record<string, string>> = {}): boolean {
  const value = (key: string) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, wanted]) => value(key) === wanted) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const found = value(key);
      switch (operator) {
        case 'In':
          return found !== undefined && values.includes(found);
        case 'NotIn':
          return found === undefined || !values.includes(found);
        case 'Exists':
          return found !== undefined;
        case 'DoesNotExist':
          return found === undefined;
        default:
          return false;
      }
    })
  );
}

/** As `kubectl -l` takes it; '' selects everything. An operator that nobody knows is kept as written. */
export function selectorText({
  matchLabels = {},
  matchExpressions = [],
}: {
  matchLabels?: Readonly<Record<string, string>> | undefined;
  matchExpressions?: readonly { key: string; operator: string; values?: string[] | undefined }[] | undefined;
}): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator.toLowerCase()} (${values.join(',')})`;
  });
  return [...labels, ...expressions].join(',');
}

/** spec.selector of an operation; undefined for single sandboxes as long as it has no name to mark them with. */
export function selectorOf(targets: UpgradeTargets, name: string | undefined): LabelSelector | undefined {
  switch (targets.by) {
    case 'pool':
      return { matchLabels: { [poolLabel]: targets.pool } };
    case 'labels':
      return targets.selector;
    case 'selection':
      return name === undefined ? undefined : { matchLabels: { [selectionLabel]: name } };
  }
}
