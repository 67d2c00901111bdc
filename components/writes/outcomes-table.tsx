'use client';

import type { ReactNode } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../common';
import { ScrollArea } from '../ui';
import './writes.css';

/** Drawn at once; more than anybody reads in a dialog. */
const shown = 200;

export type OutcomeLine = {
  uid: string;
  name: string;
  /** What stands beside the name: how it is now, or what it is about. */
  about: ReactNode;
  /** Absent: nothing is known of it yet. */
  result?: string | undefined;
  tone?: 'breach' | 'unknown' | undefined;
  /** What there is to say of the result. */
  notes: readonly string[];
};

/**
 * Each sandbox of a bulk with what would become of it, or what did. The order is the caller's.
 * @param props.dry nothing is written yet
 */
export function OutcomesTable(props: { lines: readonly OutcomeLine[]; aboutHead: string; dry: boolean }) {
  const { lines, dry } = props;
  const t = useTranslations('writes.outcomes');
  return (
    <ScrollArea className="write-outcomes" label={t('title')}>
      <table>
        <thead>
          <tr>
            <th>{t('sandbox')}</th>
            <th>{props.aboutHead}</th>
            <th>{dry ? t('wouldBe') : t('result')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, shown).map(({ uid, name, about, result, tone, notes }) => (
            <tr key={uid}>
              <td className="mono">
                <SafeText text={name} />
              </td>
              <td>{about}</td>
              <td data-tone={tone} className={result === undefined ? 'dim' : undefined}>
                {result ?? '–'}
                {notes.map((note) => (
                  <span key={note} className="sub">
                    <SafeText text={note} />
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > shown ? <p className="sm dim p-2">{t('more', { count: lines.length - shown })}</p> : null}
    </ScrollArea>
  );
}
