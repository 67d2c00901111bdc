'use client';

import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { Button, Note } from '../../ui';
import type { PlanDraft } from './draft';
import type { useDrafts } from './use-drafts';

const oldMs = 24 * 3_600_000;

/** What there is to know of unsent drafts: this one is old, others wait, the browser keeps none. */
export function DraftNotes({ drafts, lost }: { drafts: ReturnType<typeof useDrafts>; lost: boolean }) {
  const t = useTranslations('upgrade-plan.draft');
  const f = useFormats();
  const now = useNow();
  const { form, others, kept, open, drop } = drafts;
  const age = now - form.savedAt;
  const old = form.edited && age > oldMs;
  if (!old && !lost && others.length === 0 && kept) return null;
  const nameOf = (draft: PlanDraft) => {
    if (draft.targetsBy === 'pool' && draft.pool) return `${draft.namespace}/${draft.pool}`;
    return `${draft.namespace || '–'} · ${draft.name}`;
  };
  return (
    <div className="plan-notes">
      {lost ? <Note tone="unknown" title={t('nothing')} /> : null}
      {kept ? null : <Note tone="unknown" title={t('notKept')} />}
      {old ? (
        <Note tone="attention" title={t('old', { age: f.coarse(age) })}>
          <p>{t('oldText')}</p>
        </Note>
      ) : null}
      {others.length > 0 ? (
        <Note tone="unknown" title={t('others', { count: others.length })}>
          <ul className="plan-drafts">
            {others.map((draft) => (
              <li key={draft.id}>
                <span>
                  <span className="mono">{nameOf(draft)}</span>{' '}
                  <span className="dim">{t('saved', { age: f.coarse(Math.max(0, now - draft.savedAt)) })}</span>
                </span>
                <Button size="sm" onClick={() => open(draft.id)} aria-label={t('openOf', { name: nameOf(draft) })}>
                  {t('open')}
                </Button>
                <Button
                  size="sm"
                  variant="quiet"
                  onClick={() => drop(draft.id)}
                  aria-label={t('dropOf', { name: nameOf(draft) })}
                >
                  {t('drop')}
                </Button>
              </li>
            ))}
          </ul>
        </Note>
      ) : null}
    </div>
  );
}
