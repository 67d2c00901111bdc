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

/**
 * A button of a write. Always focusable: when it cannot act it says why. Pressing a denied one copies the
 * Role that is missing; pressing a stale one refreshes.
 */
export function GuardedButton({
  guard,
  icon,
  children,
  onClick,
  ...rest
}: { guard: Guard; icon?: LucideIcon; children: ReactNode; onClick: () => void } & Omit<
  ButtonProps,
  'icon' | 'children' | 'onClick'
>) {
  const t = useTranslations('common.guard');
  if (guard.state === 'allowed') {
    return (
      <Button {...rest} icon={icon} onClick={onClick}>
        {children}
      </Button>
    );
  }
  if (guard.state === 'stale') {
    return (
      <Tooltip content={t('stale')}>
        <Button {...rest} variant="default" icon={RefreshCw} onClick={guard.refresh}>
          {t('refresh')}
        </Button>
      </Tooltip>
    );
  }
  if (guard.state === 'denied') {
    const { right } = guard;
    const copyRole = async () => announce((await copyText(roleFor(right))) ? t('roleCopied') : t('roleNotCopied'));
    return (
      <Tooltip title={t('needs', right)} content={t('copyRole')}>
        {/* Not Button: a press still does something here, though not the action. */}
        <button type="button" className="btn" aria-disabled="true" onClick={copyRole}>
          <Lock className="i" aria-hidden="true" />
          {children}
        </button>
      </Tooltip>
    );
  }
  const checking = guard.state === 'unknown' && guard.reason === undefined;
  return (
    <Tooltip content={checking ? t('checking') : guard.reason}>
      <Button {...rest} variant="default" icon={icon} aria-disabled busy={checking}>
        {children}
      </Button>
    </Tooltip>
  );
}
