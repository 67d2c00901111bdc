'use client';

import { Lock } from 'lucide-react';
import { startable } from '@/lib/domain/upgrades/batches';
import type { Upgrade } from '@/lib/domain/upgrades/views';
import { type WayOut, waysOut } from '@/lib/domain/upgrades/ways-out';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Button, Icon } from '../../ui';
import type { UpgradeFormState } from '../steer/use-form';

/** Why nothing will start any more, as the controller's own sum, and the ways on, the safest first. */
export function Deadlock({
  upgrade: { op, view },
  form,
  onFailed,
}: {
  upgrade: Upgrade;
  form: UpgradeFormState;
  /** Shows the failed ones with what helps them. */
  onFailed: () => void;
}) {
  const t = useTranslations('upgrades.deadlock');
  const f = useFormats();
  const sum = [
    { sign: '', label: t('limit', { value: String(op.maxUnavailable ?? 1), total: view.total }), value: view.limit },
    { sign: '−', label: t('updating'), value: view.updating },
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
          {view.quietMs === undefined ? t('title') : t('titleFor', { duration: f.duration(view.quietMs) })}
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
      </div>
      <ol className="ways">
        {waysOut(view).map((way, index) => {
          const words = wordsOf(way);
          return (
            <li key={way.kind}>
              <span className="k">{index + 1}</span>
              <div className="min-w-0">
                <div className="b">{words.title}</div>
                <p>{words.text}</p>
              </div>
              <Button size="sm" variant={index === 0 ? 'primary' : 'default'} onClick={() => open(way)}>
                {words.button}
              </Button>
            </li>
          );
        })}
      </ol>
    </section>
  );

  function wordsOf(way: WayOut) {
    switch (way.kind) {
      case 'raiseLimit':
        return {
          title: t('raise', { to: way.to }),
          text: t(op.paused ? 'raisePausedText' : 'raiseText', { starts: startable(way.to, view), stands: way.stands }),
          button: t('raiseButton', { to: way.to }),
        };
      case 'fixFailed':
        return { title: t('fix', { count: way.failed }), text: t('fixText'), button: t('fixButton') };
      case 'endOperation':
        return { title: t('end'), text: t('endText', { count: way.waiting, ns: op.ns }), button: t('endButton') };
      case 'rollBack':
        return { title: t('rollBack', { count: way.changed }), text: t('rollBackText'), button: t('rollBackButton') };
    }
  }
}
