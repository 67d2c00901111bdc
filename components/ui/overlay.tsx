'use client';

import clsx from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { IconButton } from './button';
import { useFocusReturn } from './focus-return';

type OverlayProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** Object, namespace and cluster: what this is about. */
  subtitle?: ReactNode;
  footer?: ReactNode;
  /** Where the focus goes after closing; absent, or nothing there: where it came from. */
  returnFocus?: (() => HTMLElement | null) | undefined;
  children: ReactNode;
};

function Frame({
  open,
  onOpenChange,
  title,
  subtitle,
  footer,
  returnFocus,
  children,
  className,
  withClose,
}: OverlayProps & { className: string; withClose: boolean }) {
  const t = useTranslations('common');
  const focus = useFocusReturn(returnFocus);
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={clsx('scrim', className === 'dialog' && 'over')} />
        <Primitive.Content
          className={className}
          {...(subtitle ? {} : { 'aria-describedby': undefined })}
          // The work has the focus first, not the button that closes it.
          onOpenAutoFocus={(event) => {
            focus.remember();
            const content = event.target;
            if (!(content instanceof HTMLElement)) return;
            event.preventDefault();
            const find = (selector: string) => content.querySelector<HTMLElement>(selector);
            // A question has the focus on what is to be typed, else on its harmless answer; to copy a command is no work.
            const first =
              className === 'dialog'
                ? (find('.body :is(input, textarea, select)') ?? find('footer button'))
                : (find('.body [data-first]') ?? find('.body :is(input, textarea, select, a, button):not(.cmd *)'));
            (first ?? content).focus();
          }}
          onCloseAutoFocus={focus.giveBack}
          // A press outside must not lose what was typed; Escape and the buttons close.
          onPointerDownOutside={(event) => {
            if (className !== 'sheet') event.preventDefault();
          }}
        >
          <header>
            <div className="row">
              <Primitive.Title asChild>
                <h2>{title}</h2>
              </Primitive.Title>
              {withClose ? (
                <Primitive.Close asChild>
                  <IconButton label={t('close')} icon={X} className="end" />
                </Primitive.Close>
              ) : null}
            </div>
            {subtitle ? (
              <Primitive.Description asChild>
                <div className="sm mut">{subtitle}</div>
              </Primitive.Description>
            ) : null}
          </header>
          <div className="body">{children}</div>
          {footer ? <footer>{footer}</footer> : null}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** 440 wide, from the right: one reversible write. Holds the focus and gives it back. */
export function Drawer(props: OverlayProps) {
  return <Frame {...props} className="drawer" withClose />;
}

/** 520 wide, in the middle: what ends a session or is hard to undo. */
export function Dialog(props: OverlayProps) {
  return <Frame {...props} className="dialog" withClose={false} />;
}

/** From the left edge, on narrow screens: navigation and filters. A press outside closes it. */
export function Sheet(props: OverlayProps) {
  return <Frame {...props} className="sheet" withClose />;
}
