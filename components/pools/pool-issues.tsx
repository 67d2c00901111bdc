'use client';

import { TriangleAlert } from 'lucide-react';
import type { PoolRow } from '@/lib/contracts/rows';
import type { PoolIssue } from '@/lib/domain/pools';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText, severityTone } from '../common';
import { Icon, Note } from '../ui';

/** A calm issue is worth knowing and needs nobody. */
const worthSaying = ({ severity }: PoolIssue) => severity !== 'calm';

/** The worst thing to say about a pool, short enough for a second line; the rest on hover. */
export function PoolLint({ issues }: { issues: readonly PoolIssue[] }) {
  const name = useIssueName();
  const told = issues.filter(worthSaying);
  const [worst] = told;
  if (!worst) return null;
  const tone = severityTone(worst.severity);
  return (
    <span className="sub" title={told.map(name).join('\n')}>
      <span className="flex items-center gap-[5px] sev" data-tone={tone}>
        <Icon icon={TriangleAlert} />
        <span className="cut">{name(worst)}</span>
      </span>
    </span>
  );
}

/** Every issue of one pool with what it means. */
export function PoolIssueNotes({ issues, pool }: { issues: readonly PoolIssue[]; pool: PoolRow }) {
  const t = useTranslations('pools.issue');
  const name = useIssueName();
  return issues.filter(worthSaying).map((issue) => (
    <Note key={issue.code} tone={issue.severity === 'breach' ? 'breach' : 'attention'} title={name(issue)}>
      {t(`${issue.code}.text`, { detail: issue.detail ?? '' })}
      {issue.code === 'SessionsLost' ? <LostSessions pool={pool} /> : null}
    </Note>
  ));
}

/** Nothing in the cluster remembers them. */
function LostSessions({ pool: { lost, revision } }: { pool: PoolRow }) {
  const t = useTranslations('pools.issue.SessionsLost');
  const f = useFormats();
  return (
    <ul>
      {lost?.last.map(({ uid, name, owner, at, afterMs, hash }) => (
        <li key={uid}>
          <SafeText
            text={t('line', {
              name,
              owner: owner ?? '–',
              at: f.time(at),
              duration: f.duration(afterMs),
              hash: hash ?? '–',
              revision: revision ?? '–',
            })}
          />
        </li>
      ))}
    </ul>
  );
}

function useIssueName() {
  const t = useTranslations('pools.issue');
  const td = useTranslations('domain.cause');
  const f = useFormats();
  return (issue: PoolIssue): string => {
    const name = t(`${issue.code}.name`, {
      count: issue.count ?? 0,
      of: issue.of ?? 0,
      duration: f.coarse(issue.ms ?? 0),
      detail: issue.detail ?? '',
    });
    return issue.cause ? `${name} · ${td(issue.cause)}` : name;
  };
}
