'use client';

import { Lock, type LucideIcon, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { announce } from './announcer';
import { Button, type ButtonProps } from './button';
import { copyText } from './copy-button';
import { Tooltip } from './tooltip';

/** The right that an action needs. `resource` with its subresource, `group` empty for the core group. */
export type NeededRight = { verb: string; group: string; resource: string; namespace: string };

export type Guard =
  | { state: 'allowed' }
  | { state: 'denied'; right: NeededRight }
  /** Not known yet, or it could not be asked: then `reason` says why. */
  | { state: 'unknown'; reason?: string }
  /** What is on screen is too old to act on. */
  | { state: 'stale'; refresh: () => void }
  /** The object is not in a state in which this can be done. */
  | { state: 'wrong'; reason: string };

/** A Role for the right, to hand to whoever administers the cluster. */
export function roleFor({ verb, group, resource, namespace }: NeededRight): string {
  return [
    'apiVersion: rbac.authorization.k8s.io/v1',
    'kind: Role',
    'metadata:',
    `  name: ${verb}-${resource.replace('/', '-')}`,
    `  namespace: ${namespace}`,
    'rules:',
    `  - apiGroups: ["${group}"]`,
    `    resources: ["${resource}"]`,
    `    verbs: ["${verb}"]`,
    '',
  ].join('\n');
}

type Act = { icon?: LucideIcon | undefined; children: ReactNode; onClick: () => void };
type Rest = Omit<ButtonProps, 'icon' | 'children' | 'onClick'>;

/**
 * A button of a write. Always focusable: when it cannot act it says why. Pressing a denied one copies the Role that is
 * missing; pressing a stale one refreshes. It is one element whatever the guard: a change keeps the focus on it.
 */
export function GuardedButton({ guard, icon, children, onClick, ...rest }: { guard: Guard } & Act & Rest) {
  const { title, content, button } = useLook(guard, { icon, children, onClick }, rest);
  return (
    <Tooltip title={title} content={content}>
      <Button {...rest} {...button} />
    </Tooltip>
  );
}

/** Why it cannot be pressed, to stand beside it; undefined: it can, it is not known yet, or it says so itself. */
export function useGuardReason(guard: Guard | undefined): string | undefined {
  const t = useTranslations('common.guard');
  if (guard?.state === 'denied') return t('needs', guard.right);
  return guard?.state === 'wrong' || guard?.state === 'unknown' ? guard.reason : undefined;
}

/** What the button is and says under a guard; `content` undefined says nothing. */
function useLook(
  guard: Guard,
  act: Act,
  rest: Rest,
): { title?: string; content?: string | undefined; button: ButtonProps } {
  const t = useTranslations('common.guard');
  switch (guard.state) {
    case 'allowed':
      return { button: act };
    case 'stale':
      return {
        content: t('stale'),
        button: {
          variant: 'default',
          icon: RefreshCw,
          'aria-disabled': false,
          onClick: guard.refresh,
          children: t('refresh'),
        },
      };
    case 'denied': {
      const { right } = guard;
      const copyRole = async () => announce((await copyText(roleFor(right))) ? t('roleCopied') : t('roleNotCopied'));
      return {
        title: t('needs', right),
        content: t('copyRole'),
        button: {
          variant: 'default',
          icon: Lock,
          busy: false,
          'aria-disabled': true,
          whenOff: copyRole,
          children: act.children,
        },
      };
    }
    default: {
      const checking = guard.state === 'unknown' && guard.reason === undefined;
      return {
        content: checking ? t('checking') : guard.reason,
        button: {
          variant: 'default',
          icon: act.icon,
          'aria-disabled': true,
          busy: checking || rest.busy === true,
          children: act.children,
        },
      };
    }
  }
}
