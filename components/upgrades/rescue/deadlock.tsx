'use client';

import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { startable } from '@/lib/domain/upgrades/batches';
import type { FailureGroup } from '@/lib/domain/upgrades/failure-groups';
import { fullSince } from '@/lib/domain/upgrades/stage-times';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { commonFailure, type WayOut, waysOut } from '@/lib/domain/upgrades/ways-out';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { Button, Icon } from '../../ui';
import { type HandedOver, planUpgrade } from '../plan/hand-over';
import { upgradeHistory } from '../queries';
import type { StageRow } from '../stages/stage-rows';
import type { UpgradeFormState } from '../steer/use-form';

/**
 * Why nothing starts, as the controller's own sum, and the ways on, the safest first. Where all failed alike, the safest would
 * only bring more of it: then the one that helps is the primary.
 */
export function Deadlock({
  upgrade: { op, view },
  all,
  groups,
  again,
  form,
  onFailed,
}: {
  upgrade: Upgrade;
  all: readonly StageRow[];
  groups: readonly FailureGroup[];
  /** The same once more, to be corrected; absent until the object is read. */
  again: HandedOver | undefined;
  form: UpgradeFormState;
  /** Shows the failed ones with what helps them. */
  onFailed: () => void;
}) {
  const t = useTranslations('upgrades.deadlock');
  const f = useFormats();
  const router = useRouter();
  const alike = commonFailure(view, groups);
  // The record has the steps of before this server: without it the time may be that of the upgrade.
  const isKnown = useQuery(upgradeHistory(op)).data !== undefined;
  const full = isKnown ? fullSince(all) : undefined;
  const now = useNow();
  const sum = [
    { sign: '', label: t('limit', { value: String(op.maxUnavailable ?? 1), total: view.total }), value: view.limit },
    { sign: '−', label: t('updating'), value: view.updating - view.refused },
    ...(view.refused > 0 ? [{ sign: '−', label: t('refused'), value: view.refused }] : []),
    { sign: '−', label: t('failed'), value: view.failed },
  ];
  const open = (way: WayOut) => {
    if (way.kind === 'raiseLimit') form.open('limit', String(way.to));
    else if (way.kind === 'fixFailed') onFailed();
    else form.open(way.kind === 'endOperation' ? 'delete' : 'rollBack');
  };
  return (
    <section className="dead mb-4" aria-label={t('label')}>
      <div className="why">
        <h2>
          <Icon icon={Lock} large />
          {full === undefined ? t('title') : t('titleFor', { duration: f.duration(Math.max(0, now - full)) })}
        </h2>
        <table className="sum">
          <tbody>
            {sum.map((line) => (
              <tr key={line.label}>
                <td>{line.sign}</td>
                <td>{line.label}</td>
                <td>{f.number(line.value)}</td>
              </tr>
            ))}
            <tr className="tot">
              <td>=</td>
              <td>{t('free')}</td>
              {/* More failures than the limit: it was lowered. */}
              <td>{f.number(view.limit - view.updating - view.failed)}</td>
            </tr>
          </tbody>
        </table>
        <p className="sm mut mt-2">{t('consequence', { waiting: view.waiting, ns: op.ns })}</p>
        <p className="sm mut mt-2">{t('slot')}</p>
      </div>
      <ol className="ways">
        {waysOut(view, groups).map((way, index) => {
          const words = wordsOf(way);
          const helps = alike ? way.kind === 'endOperation' : index === 0;
          const replan = alike && helps ? again : undefined;
          return (
            <li key={way.kind}>
              <span className="k">{index + 1}</span>
              <div className="min-w-0">
                <div className="b">{words.title}</div>
                <p>{words.text}</p>
              </div>
              <span className="row flex-wrap">
                {replan ? (
                  <Button size="sm" variant="primary" onClick={() => router.push(planUpgrade(replan))}>
                    {t('againButton')}
                  </Button>
                ) : null}
                <Button size="sm" variant={helps && !replan ? 'primary' : 'default'} onClick={() => open(way)}>
                  {words.button}
                </Button>
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );

  function wordsOf(way: WayOut) {
    switch (way.kind) {
      case 'raiseLimit': {
        const starts = startable(way.to, view);
        return {
          title: t('raise', { to: way.to }),
          text: alike?.refused
            ? t('raiseRefused', { starts })
            : alike
              ? t('raiseAlike', { failed: view.failed, reason: alike.reason, starts })
              : t(op.paused ? 'raisePausedText' : 'raiseText', { starts, stands: way.stands }),
          button: t('raiseButton', { to: way.to }),
        };
      }
      case 'fixFailed':
        return { title: t('fix', { count: way.failed }), text: t('fixText'), button: t('fixButton') };
      case 'endOperation':
        return alike && again
          ? { title: t('endAlike'), text: t('endAlikeText'), button: t('endButton') }
          : { title: t('end'), text: t('endText', { count: way.waiting, ns: op.ns }), button: t('endButton') };
      case 'rollBack':
        return {
          title: t('rollBack', { count: way.changed }),
          text: [
            t('rollBackText'),
            way.changed > way.kept ? t('rollBackNew', { count: way.changed - way.kept }) : '',
            way.kept > 0 ? t('rollBackKept', { count: way.kept }) : '',
          ]
            .filter((part) => part !== '')
            .join(' '),
          button: t('rollBackButton'),
        };
    }
  }
}
