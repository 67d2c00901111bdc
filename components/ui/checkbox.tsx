'use client';

import { Check, Minus } from 'lucide-react';
import { Checkbox as Primitive } from 'radix-ui';
import { Icon } from './icon';

/** `mixed`: some of what it stands for is chosen. */
export function Checkbox({
  checked,
  onChange,
  label,
  tabIndex,
}: {
  checked: boolean | 'mixed';
  onChange: (checked: boolean) => void;
  label: string;
  tabIndex?: number;
}) {
  return (
    <Primitive.Root
      className={checked ? 'cb on' : 'cb'}
      checked={checked === 'mixed' ? 'indeterminate' : checked}
      onCheckedChange={(next) => onChange(next === true)}
      aria-label={label}
      {...(tabIndex === undefined ? {} : { tabIndex })}
    >
      <Primitive.Indicator className="contents">
        <Icon icon={checked === 'mixed' ? Minus : Check} />
      </Primitive.Indicator>
    </Primitive.Root>
  );
}
