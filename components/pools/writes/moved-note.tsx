'use client';

import type { TemplateDifference } from '@/lib/domain/templates';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { Button, Note } from '../../ui';

const shown = 6;

/** What changed underneath while the form was open, from what to what; what was typed is kept. */
export function MovedNote({ moved, onTake }: { moved: readonly TemplateDifference[]; onTake: () => void }) {
  const t = useTranslations('writes.template');
  const said = (value: unknown) => {
    if (value === undefined) return t('movedNone');
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return (
    <Note tone="attention" title={t('movedTitle')} live>
      {moved.slice(0, shown).map(({ path, before, after }) => (
        <p key={path} className="mono sm" style={{ overflowWrap: 'anywhere' }}>
          <SafeText text={`${path}: ${said(before)} → ${said(after)}`} />
        </p>
      ))}
      {moved.length > shown ? <p className="sm">{t('movedMore', { count: moved.length - shown })}</p> : null}
      <p>{t('movedBody')}</p>
      <p>
        <Button size="sm" onClick={onTake}>
          {t('take')}
        </Button>
      </p>
    </Note>
  );
}
