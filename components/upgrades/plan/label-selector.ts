import { type LabelSelector, labelSelector } from '@/lib/contracts/upgrades';
import type { LabelRow } from './draft';

export type RowFault = 'labelKey' | 'labelValues' | 'labelValue';

const valuesOf = (row: LabelRow) =>
  row.values
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
export const needsValues = ({ operator }: Pick<LabelRow, 'operator'>) => operator === 'In' || operator === 'NotIn';

/** The API server's rules for a qualified name and a label's value (apimachinery: validation.IsQualifiedName). */
const qualifiedName =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** What is not right with a row; undefined when nothing is. */
export function rowFault(row: LabelRow): RowFault | undefined {
  if (!qualifiedName.test(row.key.trim())) return 'labelKey';
  if (!needsValues(row)) return undefined;
  const values = valuesOf(row);
  if (values.length === 0) return 'labelValues';
  return values.every((value) => labelValue.test(value)) ? undefined : 'labelValue';
}

/** What rows that {@link rowFault} finds nothing in come to; undefined without any. */
export function selectorOfRows(rows: readonly LabelRow[]): LabelSelector | undefined {
  const matchLabels: Record<string, string> = {};
  const matchExpressions: { key: string; operator: LabelRow['operator']; values?: string[] }[] = [];
  for (const row of rows) {
    const key = row.key.trim();
    const [value, ...more] = valuesOf(row);
    // A map holds a key once; what is asked of it besides stands as an expression.
    if (row.operator === 'In' && value !== undefined && more.length === 0 && !(key in matchLabels)) {
      matchLabels[key] = value;
    } else {
      matchExpressions.push({ key, operator: row.operator, ...(needsValues(row) ? { values: valuesOf(row) } : {}) });
    }
  }
  return labelSelector.safeParse({
    ...(Object.keys(matchLabels).length > 0 ? { matchLabels } : {}),
    ...(matchExpressions.length > 0 ? { matchExpressions } : {}),
  }).data;
}
