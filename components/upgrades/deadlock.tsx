'use client';

import { Lock } from 'lucide-react';
import type { Upgrade } from '@/lib/domain/upgrade-views';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { Command, Icon } from '../ui';

/** Why nothing will start any more, as the controller's own sum, and the two ways on. */
export function Deadlock({ upgrade: { op, view } }: { upgrade: Upgrade }) {
  const t = useTranslations('upgrades.deadlock');
  const f = useFormats();
  const raised = view.limit + Math.max(1, Math.min(2, view.waiting));
  const kubectl = `kubectl -n ${op.ns}`;
  const sum = [
    { sign: '', label: t('limit', { value: String(op.maxUnavailable ?? 1), total: view.total }), value: view.limit },
    { sign: '–', label: t('updating'), value: view.updating },
    { sign: '–', label: t('failed'), value: view.failed },
  ];
  const ways = [
    {
      id: 'raise',
      title: t('raise', { to: raised }),
      text: t('raiseText', { more: raised - view.failed - view.updating }),
      command: `${kubectl} patch suo ${op.name} --type merge -p '{"spec":{"updateStrategy":{"maxUnavailable":${raised}}}}'`,
    },
    { id: 'retry', title: t('retry'), text: t('retryText'), command: `${kubectl} delete suo ${op.name}` },
  ];
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
              <td>{f.number(view.free)}</td>
            </tr>
          </tbody>
        </table>
        <p className="sm mut mt-2">{t('consequence', { waiting: view.waiting, ns: op.ns })}</p>
      </div>
      <ol className="ways">
        {ways.map((way, index) => (
          <li key={way.id}>
            <span className="k">{index + 1}</span>
            <div className="min-w-0">
              <div className="b">{way.title}</div>
              <p>{way.text}</p>
              <div className="mt-1">
                <Command text={way.command} />
              </div>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
