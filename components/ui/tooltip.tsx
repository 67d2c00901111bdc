'use client';

import { Tooltip as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

export const TooltipProvider = Primitive.Provider;

/**
 * A word on what is under the pointer or has the focus. `children` is one focusable element.
 * @param props.content absent: there is nothing to say now
 */
export function Tooltip({
  title,
  content,
  side = 'bottom',
  children,
}: {
  title?: ReactNode;
  content?: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left';
  children: ReactNode;
}) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      {content === undefined ? null : (
        <Primitive.Portal>
          <Primitive.Content className="tip floating" side={side} sideOffset={6} collisionPadding={8}>
            {title ? <b>{title}</b> : null}
            <span>{content}</span>
          </Primitive.Content>
        </Primitive.Portal>
      )}
    </Primitive.Root>
  );
}
