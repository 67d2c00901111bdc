'use client';

import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

export type TabItem<V extends string> = { value: V; label: ReactNode; content: ReactNode };

/** Panels of one object. The chosen one is the caller's state, usually in the URL. Only that panel is mounted. */
export function Tabs<V extends string>({
  label,
  value,
  items,
  onChange,
}: {
  label: string;
  value: V;
  items: readonly TabItem<V>[];
  onChange: (value: V) => void;
}) {
  return (
    <Primitive.Root
      value={value}
      onValueChange={(next) => {
        const chosen = items.find((item) => item.value === next);
        if (chosen) onChange(chosen.value);
      }}
      className="tabbed"
    >
      <Primitive.List className="tabs" aria-label={label}>
        {items.map((item) => (
          <Primitive.Trigger key={item.value} value={item.value}>
            {item.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {items.map((item) => (
        <Primitive.Content key={item.value} value={item.value} className="tabp">
          {item.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
