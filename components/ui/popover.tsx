'use client';

import clsx from 'clsx';
import { Popover as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

/** A small floating panel under its trigger, which is one button. */
export function Popover({
  trigger,
  label,
  align = 'start',
  open,
  onOpenChange,
  className,
  children,
}: {
  trigger: ReactNode;
  label: string;
  align?: 'start' | 'center' | 'end';
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Primitive.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          className={clsx('pop floating', className)}
          aria-label={label}
          align={align}
          sideOffset={5}
          collisionPadding={8}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
