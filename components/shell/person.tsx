'use client';

import { useQuery } from '@tanstack/react-query';
import { accessReply } from '@/lib/contracts/access';
import { useTranslations } from '@/lib/i18n/use-translations';
import { readJson } from '@/lib/read-json';
import { Popover } from '../ui/popover';

/** Who is signed in, as the cluster sees it. */
export function usePerson() {
  return useQuery({
    queryKey: ['access', 'person'],
    queryFn: async ({ signal }) => (await readJson(accessReply, '/api/v1/access', { signal })).person,
    staleTime: 5 * 60_000,
  });
}

/** One or two letters of a subject: `maria.kaya@example.org` is MK, `system:admin` is A. */
export function initialsOf(subject: string): string {
  const name = subject.split(':').at(-1)?.split('@')[0] ?? subject;
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase() ?? '')
    .join('');
}

/** Who is signed in, and as whom the cluster sees the writes. */
export function PersonBadge() {
  const t = useTranslations('shell.person');
  const { data: person } = usePerson();
  if (!person) return null;
  const short = person.subject.split(':').at(-1) ?? person.subject;
  return (
    <Popover
      label={t('label', { subject: person.subject })}
      align="end"
      trigger={
        <button type="button" className="pick who hide-m" aria-label={t('label', { subject: person.subject })}>
          <i aria-hidden="true">{initialsOf(person.subject)}</i>
          <span className="sm mut cut">{short}</span>
        </button>
      }
    >
      <div className="pinfo">
        <span className="b">{person.subject}</span>
        {person.groups.length > 0 ? (
          <span className="sm mut">
            {t('groups')}: {person.groups.join(', ')}
          </span>
        ) : null}
        {person.impersonated ? null : <span className="sm dim">{t('own')}</span>}
      </div>
    </Popover>
  );
}
