'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { hanging } from './hanging';
import { ScrollArea } from './scroll-area';

export type DiffLine = { kind: 'same' | 'removed' | 'added'; text: string };

const classes = { same: undefined, removed: 'del', added: 'add' };

/** Lines of a change. Removed is hatched and marked −, never red: a change is not an alarm. */
export function DiffView({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  const t = useTranslations('common.diff');
  return (
    <ScrollArea className="diff" label={label}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <div key={index} className={classes[line.kind]}>
          <span className="hang" style={hanging(line.text)}>
            {line.kind === 'same' ? null : <span className="vh">{t(line.kind)} </span>}
            {line.text}
          </span>
        </div>
      ))}
    </ScrollArea>
  );
}
