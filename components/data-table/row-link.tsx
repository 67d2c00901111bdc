import clsx from 'clsx';
import Link from 'next/link';
import { MiddleCut } from '../common/middle-cut';
import { SafeText } from '../common/safe-text';

/**
 * The name in a row: a real link. A plain press opens the row beside the list where the list does that.
 * @param ends names of the list differ at their ends, so they are cut in the middle
 */
export function RowLink({ href, name, mono, ends }: { href: string; name: string; mono?: boolean; ends?: boolean }) {
  return (
    <Link data-row-link className={clsx(mono ? 'mono' : 'b')} href={href} prefetch={false} tabIndex={-1} title={name}>
      {ends ? <MiddleCut text={name} /> : <SafeText text={name} />}
    </Link>
  );
}
