import type { ReactNode } from 'react';

/** Facts beside an action: name left, value right, hairlines between. */
export function Lines({ items }: { items: readonly { label: ReactNode; value: ReactNode }[] }) {
  return (
    <dl className="lines">
      {items.map(({ label, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change places
        <div key={index}>
          <dt>{label}</dt>
          <dd className="v">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
