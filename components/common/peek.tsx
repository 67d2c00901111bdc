'use client';

import { ChevronDown, ChevronUp, Maximize2, X } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { IconButton } from '../ui/button';
import { Icon } from '../ui/icon';
import { Tooltip } from '../ui/tooltip';
import { SafeText } from './safe-text';
import { useShortcut } from './shortcuts';

/** For reading beside a list: no scrim, the list stays usable. Escape closes. */
export function Peek({
  name,
  href,
  onPrevious,
  onNext,
  onClose,
  children,
}: {
  name: string;
  /** The page of the same object. */
  href: string;
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useTranslations('common.peek');
  useShortcut('Escape', onClose);
  return (
    <aside className="peek" aria-label={name}>
      <div className="peekh">
        <h2 className="mono b cut" title={name}>
          <SafeText text={name} />
        </h2>
        <span className="end row pa">
          <IconButton label={t('previous')} icon={ChevronUp} aria-disabled={!onPrevious} onClick={onPrevious} />
          <IconButton label={t('next')} icon={ChevronDown} aria-disabled={!onNext} onClick={onNext} />
          <Tooltip content={t('page')}>
            <Link className="btn quiet ico" href={href} aria-label={t('page')}>
              <Icon icon={Maximize2} />
            </Link>
          </Tooltip>
          <IconButton label={t('close')} icon={X} onClick={onClose} />
        </span>
      </div>
      {children}
    </aside>
  );
}
