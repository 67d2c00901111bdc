import type { SandboxRow } from '@/lib/contracts/rows';
import { quote } from '@/lib/domain/kubectl';

type Named = Pick<SandboxRow, 'ns' | 'name'>;

/** One `kubectl get` a namespace. */
export function kubectlLines(rows: readonly Named[]): string {
  const namespaces = [...new Set(rows.map(({ ns }) => ns))];
  return namespaces
    .map((ns) => {
      const names = rows.filter((row) => row.ns === ns).map(({ name }) => quote(name));
      return `kubectl -n ${quote(ns)} get sbx ${names.join(' ')}`;
    })
    .join('\n');
}

/** Names, one a line; with their namespace when there are several. */
export function nameLines(rows: readonly Named[]): string {
  const many = new Set(rows.map(({ ns }) => ns)).size > 1;
  return rows.map(({ ns, name }) => (many ? `${ns}/${name}` : name)).join('\n');
}
