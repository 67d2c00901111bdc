'use client';

import Link from 'next/link';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { objectHref } from '../../shell/navigation';
import { Note } from '../../ui';
import { WriteError } from '../../writes/api';
import { ProblemNote } from '../../writes/problem-note';
import type { Planning } from './planning';

/** Why it was not created; or, where no answer came, that the watch has shown it meanwhile. */
export function WriteProblem({ planning: { form }, error }: { planning: Planning; error: Error }) {
  const t = useTranslations('upgrade-plan.started');
  const there = useRows('sandboxupdateops').some(({ ns, name }) => ns === form.namespace && name === form.name);
  const lost = error instanceof WriteError && error.problem.applied === 'unknown';
  if (!lost || !there) return <ProblemNote about="upgrade" error={error} />;
  return (
    <Note tone="unknown" title={t('applied', { name: form.name })} live>
      <p>
        {t.rich('appliedText', {
          a: (chunk) => <Link href={objectHref('upgrades', form.namespace, form.name)}>{chunk}</Link>,
        })}
      </p>
    </Note>
  );
}
