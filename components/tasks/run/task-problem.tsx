'use client';

import Link from 'next/link';
import type { Task, TaskProblemCode } from '@/lib/contracts/tasks';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRowByName } from '@/lib/live';
import { SafeText } from '../../common';
import { usePoolView } from '../../pools/use-pool-views';
import { objectHref } from '../../shell/navigation';
import { CopyButton, Note } from '../../ui';

/** Nobody can say how the code ended. */
const unclear: ReadonlySet<TaskProblemCode> = new Set(['resultUnknown', 'oddAnswer']);
/** What has to do with the pool, whose state is shown then. */
const ofPool: ReadonlySet<TaskProblemCode> = new Set(['noStock', 'templateUnknown']);

/** Why the task did not come to an end of its own: what happened, what to do, and in whose words. `now`: the server's clock. */
export function TaskProblemNote({ task, now }: { task: Task; now: number }) {
  const t = useTranslations('tasks.problem');
  const f = useFormats();
  const { problem } = task;
  if (!problem) return null;
  const { code, detail, status, retryAfterSeconds, since } = problem;
  const values = { limit: f.coarse(task.request.timeLimitSeconds * 1_000), pool: task.pool.name };
  const again =
    retryAfterSeconds === undefined || task.endedAt === undefined ? 0 : task.endedAt + retryAfterSeconds * 1_000 - now;
  return (
    <Note tone={unclear.has(code) ? 'unknown' : 'attention'} title={t(`title.${code}`, values)}>
      {since === undefined ? null : <p>{t('since', { at: f.time(since) })}</p>}
      <p>{t(`next.${code}`)}</p>
      {ofPool.has(code) ? <PoolNow {...task.pool} /> : null}
      {again > 0 ? <p role="timer">{t('wait', { left: f.coarse(Math.ceil(again / 1_000) * 1_000) })}</p> : null}
      {detail ? (
        <p className="row">
          <span className="mono wrap-any">
            {status === undefined || detail.startsWith(`${status}`) ? null : `${status} `}
            <SafeText text={detail} lines="keep" />
          </span>
          <CopyButton text={detail} label={t('copy')} />
        </p>
      ) : null}
    </Note>
  );
}

/** How the pool stands now, and the way to more of it. */
function PoolNow({ ns, name }: { ns: string; name: string }) {
  const t = useTranslations('tasks.problem');
  const pool = useRowByName('sandboxsets', ns, name);
  const view = usePoolView(pool);
  if (!view) return <p>{t('poolGone', { name, ns })}</p>;
  const { available, creating } = view.stats;
  return (
    <p>
      {t.rich('poolNow', {
        name,
        available,
        desired: view.pool.desired,
        creating,
        a: (chunk) => <Link href={`${objectHref('pools', ns, name)}?form=scale`}>{chunk}</Link>,
      })}
    </p>
  );
}
