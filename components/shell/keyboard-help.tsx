'use client';

import { useTranslations } from '@/lib/i18n/use-translations';
import { Kbd } from '../ui/kbd';
import { Sheet } from '../ui/overlay';
import { areas } from './navigation';

function Keys({ keys, join }: { keys: readonly string[]; join: string }) {
  return (
    <span className="row keysq">
      {keys.map((key, index) => (
        <span key={key} className="row keysq">
          {index > 0 ? <span className="dim sm">{join}</span> : null}
          <Kbd>{key}</Kbd>
        </span>
      ))}
    </span>
  );
}

/** What the keyboard does; opened with `?`. */
export function KeyboardHelp({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useTranslations('shell');
  const anywhere = [
    { keys: ['⌘K', 'Ctrl K'], join: t('help.or'), text: t('help.palette') },
    { keys: ['/'], join: '', text: t('help.filter') },
    ...areas.map((area) => ({
      keys: ['g', area.key],
      join: t('help.then'),
      text: t('help.go', { page: t(`nav.${area.id}`) }),
    })),
    { keys: ['Esc'], join: '', text: t('help.close') },
    { keys: ['?'], join: '', text: t('help.help') },
  ];
  const lists = [
    { keys: ['j', 'k'], join: '', text: t('help.move') },
    { keys: ['Home', 'End'], join: '', text: t('help.ends') },
    { keys: ['x'], join: '', text: t('help.select') },
    { keys: ['Enter'], join: '', text: t('help.open') },
    { keys: ['Ctrl Enter'], join: '', text: t('help.page') },
    { keys: ['u'], join: '', text: t('help.upgrade') },
  ];
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={t('help.title')}>
      {[
        { title: t('help.anywhere'), rows: anywhere },
        { title: t('help.lists'), rows: lists },
      ].map((group) => (
        <section key={group.title} className="msec">
          <h3>{group.title}</h3>
          <dl className="lines">
            {group.rows.map((row) => (
              <div key={row.text}>
                <dt>{row.text}</dt>
                <dd>
                  <Keys keys={row.keys} join={row.join} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Sheet>
  );
}
