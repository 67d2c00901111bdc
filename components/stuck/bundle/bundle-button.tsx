'use client';

import { Check, ChevronDown, FileDown, FileJson2, Files } from 'lucide-react';
import { useState } from 'react';
import { announce, Button, copyText, IconButton, Menu, MenuItem } from '@/components/ui';
import { visibleText } from '@/lib/domain/text';
import { useTranslations } from '@/lib/i18n/use-translations';
import { downloadText } from '../../sandboxes/download';
import { type Incident, type MadeBundle, useBundle } from './use-bundle';

type Way = 'copy' | 'markdown' | 'json';

/** One press copies what is known of an incident for a ticket; the menu saves it as a file. */
export function BundleButton({ incident, size }: { incident: Incident; size?: 'sm' }) {
  const t = useTranslations('triage.bundle');
  const make = useBundle(incident);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const hand = async (way: Way) => {
    if (busy) return;
    setBusy(true);
    announce(t('making'));
    try {
      const made = await make();
      const told = way === 'copy' ? await copied(made) : saved(made, way);
      setDone(told.ok);
      announce(told.text);
    } finally {
      setBusy(false);
    }
  };
  const copied = async ({ bundle, markdown }: MadeBundle) => {
    const ok = await copyText(markdown);
    const counts = { count: bundle.cohort.count, detailed: bundle.details.length };
    return { ok, text: ok ? t('copied', counts) : t('notCopied') };
  };
  const saved = ({ bundle, markdown }: MadeBundle, way: Exclude<Way, 'copy'>) => {
    const stem = `incident-${bundle.cohort.scope.ns}-${bundle.madeAt.slice(0, 19).replaceAll(':', '')}Z`;
    const name = `${stem}.${way === 'json' ? 'json' : 'md'}`;
    if (way === 'json') downloadText(name, 'application/json', `${JSON.stringify(bundle, null, 2)}\n`);
    else downloadText(name, 'text/markdown;charset=utf-8', markdown);
    return { ok: true, text: t('saved', { name: visibleText(name, 'mark') }) };
  };
  const small = size ? { size } : {};
  return (
    <span className="row gap-[2px]">
      <Button
        {...small}
        icon={done ? Check : Files}
        busy={busy}
        onClick={() => hand('copy')}
        onBlur={() => setDone(false)}
      >
        {t('button')}
      </Button>
      <Menu trigger={<IconButton {...small} label={t('menu')} icon={ChevronDown} />}>
        <MenuItem icon={Files} onSelect={() => hand('copy')}>
          {t('copy')}
        </MenuItem>
        <MenuItem icon={FileDown} onSelect={() => hand('markdown')}>
          {t('saveMarkdown')}
        </MenuItem>
        <MenuItem icon={FileJson2} onSelect={() => hand('json')}>
          {t('saveJson')}
        </MenuItem>
      </Menu>
    </span>
  );
}
