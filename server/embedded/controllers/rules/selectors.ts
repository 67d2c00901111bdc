import type { LabelSelector } from '../client/objects';

/** metav1.LabelSelector against labels; an empty selector selects everything. */
export function selects(selector: LabelSelector, labels: Record<string, string> = {}): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return (
    equal &&
    (selector.matchExpressions ?? []).every((expression) => {
      const value = labels[expression.key];
      switch (expression.operator) {
        case 'In':
          return value !== undefined && (expression.values ?? []).includes(value);
        case 'NotIn':
          return value === undefined || !(expression.values ?? []).includes(value);
        case 'Exists':
          return value !== undefined;
        case 'DoesNotExist':
          return value === undefined;
        default:
          return false;
      }
    })
  );
}
