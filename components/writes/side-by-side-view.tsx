'use client';

import { useMemo } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../common';
import { hanging, ScrollArea } from '../ui';
import { sideBySide } from './side-by-side';
import './writes.css';

/** Now and wanted, line beside line. */
export function SideBySideView({
  before,
  after,
  label,
  heads,
}: {
  before: string;
  after: string;
  label: string;
  /** Absent: now and wanted. */
  heads?: { before: string; after: string };
}) {
  const t = useTranslations('writes.template');
  const marks = useTranslations('common.diff');
  const rows = useMemo(() => sideBySide(before, after), [before, after]);
  return (
    <ScrollArea className="write-sides" label={label}>
      <table>
        <thead>
          <tr>
            <th>{heads?.before ?? t('before')}</th>
            <th>{heads?.after ?? t('after')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            <tr key={index}>
              {row.kind === 'gap' ? (
                <td colSpan={2} className="gap">
                  {t('gap', { count: row.count })}
                </td>
              ) : (
                <>
                  <td className={row.changed && row.left !== undefined ? 'removed' : undefined}>
                    <Line text={row.left} mark={row.changed ? marks('removed') : undefined} />
                  </td>
                  <td className={row.changed && row.right !== undefined ? 'added' : undefined}>
                    <Line text={row.right} mark={row.changed ? marks('added') : undefined} />
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

/** @param mark what a changed line is called to those who do not see it marked */
function Line({ text, mark }: { text: string | undefined; mark: string | undefined }) {
  if (text === undefined) return null;
  return (
    <span className="hang" style={hanging(text)}>
      {mark ? <span className="vh">{mark} </span> : null}
      <SafeText text={text} />
    </span>
  );
}
