import { ExternalLink as ExternalIcon } from 'lucide-react';
import { safeLink, visibleText } from '@/lib/domain/text';
import { Icon } from '../ui/icon';

/** Text that comes from objects: shown as text, with control and direction characters made visible. */
export function SafeText({ text, lines = 'mark' }: { text: string; lines?: 'keep' | 'mark' }) {
  return <bdi>{visibleText(text, lines)}</bdi>;
}

/** A link to another site, opened without a way back to this page; plain text when it is not http(s). */
export function ExternalLink({ href, children }: { href: string; children?: React.ReactNode }) {
  const target = safeLink(href);
  const label = children ?? <SafeText text={href} />;
  if (!target) return <span>{label}</span>;
  return (
    <a className="ext" href={target} target="_blank" rel="noopener noreferrer">
      {label}
      <Icon icon={ExternalIcon} />
    </a>
  );
}
