'use client';

import { Check, ChevronsUpDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useRows } from '@/lib/live';
import { Icon } from '../ui/icon';
import { Popover } from '../ui/popover';
import { useScope } from './scope';

/** Namespaces this person may see, with those chosen even when they are gone. */
function useNamespaceNames(): string[] {
  const rows = useRows('namespaces');
  const { namespaces } = useScope();
  return useMemo(() => [...new Set([...rows.map((row) => row.name), ...namespaces])].sort(), [namespaces, rows]);
}

function Option({ name, on, onToggle }: { name: string; on: boolean; onToggle: () => void }) {
  return (
    <li>
      <button type="button" className="mi" aria-pressed={on} onClick={onToggle}>
        <span className={on ? 'cb on' : 'cb'} aria-hidden="true">
          {on ? <Icon icon={Check} /> : null}
        </span>
        <span className="cut">{name}</span>
      </button>
    </li>
  );
}

/** Chooses several namespaces, or all. */
export function NamespaceList() {
  const t = useTranslations('shell.namespaces');
  const { namespaces, choose } = useScope();
  const names = useNamespaceNames();
  const [query, setQuery] = useState('');
  const shown = names.filter((name) => name.includes(query.trim().toLowerCase()));
  const toggle = (name: string) =>
    choose(namespaces.includes(name) ? namespaces.filter((other) => other !== name) : [...namespaces, name].sort());
  return (
    <>
      {names.length > 8 ? (
        <input
          className="in"
          aria-label={t('filter')}
          placeholder={t('filter')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      ) : null}
      <ul className="opts">
        <Option name={t('all')} on={namespaces.length === 0} onToggle={() => choose([])} />
        {shown.map((name) => (
          <Option key={name} name={name} on={namespaces.includes(name)} onToggle={() => toggle(name)} />
        ))}
        {shown.length === 0 && names.length > 0 ? <li className="dim sm none">{t('none')}</li> : null}
      </ul>
    </>
  );
}

/** The namespaces in the header: the first by name, then how many more. */
export function NamespacePicker() {
  const t = useTranslations('shell.namespaces');
  const { namespaces } = useScope();
  const [first, second] = namespaces;
  return (
    <Popover
      label={t('label')}
      className="nsp"
      trigger={
        <button type="button" className="pick hide-m" title={namespaces.length > 2 ? namespaces.join(', ') : undefined}>
          <span className="cut">
            <span className="vh">{t('label')}: </span>
            {first === undefined ? <b>{t('all')}</b> : <b>{first}</b>}
            {second === undefined ? null : `, ${second}`}
            {namespaces.length > 2 ? ` ${t('more', { count: namespaces.length - 2 })}` : null}
          </span>
          <Icon icon={ChevronsUpDown} />
        </button>
      }
    >
      <NamespaceList />
    </Popover>
  );
}
