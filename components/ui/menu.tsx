'use client';

import { Check, type LucideIcon } from 'lucide-react';
import Link from 'next/link';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { Icon } from './icon';

/** A menu under a button. */
export function Menu({
  trigger,
  align = 'end',
  children,
}: {
  trigger: ReactNode;
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="pop menu floating" align={align} sideOffset={5} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

type ItemProps = { icon?: LucideIcon; hint?: ReactNode; children: ReactNode };

function ItemBody({ icon, hint, children }: ItemProps) {
  return (
    <>
      {icon ? <Icon icon={icon} /> : null}
      <span className="cut">{children}</span>
      {hint ? <span className="end dim sm">{hint}</span> : null}
    </>
  );
}

export function MenuItem({ onSelect, ...body }: ItemProps & { onSelect: () => void }) {
  return (
    <DropdownMenu.Item className="mi" onSelect={onSelect}>
      <ItemBody {...body} />
    </DropdownMenu.Item>
  );
}

export function MenuLink({ href, ...body }: ItemProps & { href: string }) {
  return (
    <DropdownMenu.Item className="mi" asChild>
      <Link href={href}>
        <ItemBody {...body} />
      </Link>
    </DropdownMenu.Item>
  );
}

/** A choice among few, the menu closes. */
export function MenuChoice<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: V;
  options: readonly { value: V; label: string; icon?: LucideIcon }[];
  onChange: (value: V) => void;
}) {
  return (
    <DropdownMenu.RadioGroup
      value={value}
      onValueChange={(next) => {
        const chosen = options.find((option) => option.value === next);
        if (chosen) onChange(chosen.value);
      }}
    >
      <DropdownMenu.Label className="ml">{label}</DropdownMenu.Label>
      {options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} value={option.value} className="mi">
          {option.icon ? <Icon icon={option.icon} /> : null}
          {option.label}
          <DropdownMenu.ItemIndicator className="end">
            <Icon icon={Check} />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

/** A switch in a menu; the menu stays open. */
export function MenuCheck({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <DropdownMenu.CheckboxItem
      className="mi"
      checked={checked}
      onCheckedChange={(next) => onChange(next === true)}
      onSelect={(event) => event.preventDefault()}
    >
      <span className={checked ? 'cb on' : 'cb'} aria-hidden="true">
        {checked ? <Icon icon={Check} /> : null}
      </span>
      <span className="cut">{children}</span>
    </DropdownMenu.CheckboxItem>
  );
}

export function MenuLine() {
  return <DropdownMenu.Separator className="mline" />;
}
