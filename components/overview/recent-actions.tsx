'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { listedAction, type RecentAction } from '@/lib/contracts/writes';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText, SectionHead, TimeOfDay, useProblemText } from '../common';
import { objectHref } from '../shell/navigation';
import { recentActions } from '../writes/api';

const shown = 5;
const pages: Readonly<Record<string, 'pools' | 'upgrades' | 'sandboxes'>> = {
  SandboxSet: 'pools',
  SandboxUpdateOps: 'upgrades',
  Sandbox: 'sandboxes',
};
/** Of what is no object of the cluster. */
const places: Readonly<Record<string, string>> = { Cohort: '/stuck', Limits: '/stuck' };
/** Loud where something was refused; in two lines where it takes a sentence. */
const classes: Partial<Record<RecentAction['result'], string>> = {
  refused: 'num sm cut b',
  observed: 'num sm dim whitespace-normal',
};

/** The console's last writes, refused ones included. */
export function RecentActions() {
  const t = useTranslations('overview.actions');
  const { data, isError } = useQuery({ ...recentActions(), refetchInterval: 10_000 });
  return (
    <section className="sec">
      <SectionHead title={t('title')} />
      {isError ? <p className="more">{t('failed')}</p> : null}
      {data?.length === 0 ? <p className="more">{t('none')}</p> : null}
      {data && data.length > 0 ? (
        <table className="tbl two table-fixed">
          <colgroup>
            <col />
            <col className="w-34" />
          </colgroup>
          <tbody>
            {data.slice(0, shown).map((action) => (
              <Action key={action.id} action={action} />
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  );
}

function Action({ action }: { action: RecentAction }) {
  const t = useTranslations('overview.actions');
  const say = useProblemText();
  const { namespace, name } = action.object;
  const { message } = action;
  const known = listedAction.safeParse(action.action);
  const page = pages[action.object.kind];
  return (
    <tr>
      <td className="cut">
        {known.success ? t(`names.${known.data}`) : action.action}{' '}
        <Link className="b" href={page ? objectHref(page, namespace, name) : (places[action.object.kind] ?? '/')}>
          {name} <SafeText text={action.summary} />
        </Link>
        {action.others === undefined ? null : <> {t('others', { count: action.others })}</>}
        <span className="sub">
          <TimeOfDay at={action.at} /> · {action.actor}
        </span>
      </td>
      <td
        className={classes[action.result] ?? 'num sm cut dim'}
        title={message === undefined ? undefined : say({ ...action, message })}
      >
        {t(`results.${action.result}`)}
      </td>
    </tr>
  );
}
