import clsx from 'clsx';
import Link from 'next/link';
import { SafeText } from '../common/safe-text';

/** The name in a row: a real link. A plain press opens the row beside the list where the list does that. */
export function RowLink({ href, name, mono }: { href: string; name: string; mono?: boolean }) {
  return (
    <Link data-row-link className={clsx(mono ? 'mono' : 'b')} href={href} prefetch={false} tabIndex={-1} title={name}>
      <SafeText text={name} />
    </Link>
  );
}
