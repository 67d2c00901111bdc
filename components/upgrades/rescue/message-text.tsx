'use client';

import { useState } from 'react';
import type { SandboxRow } from '@/lib/contracts/rows';
import { readPod, readSandbox } from '@/lib/domain/object-readings';
import { wholeEvidence } from '@/lib/domain/whole-evidence';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText, useObject } from '../../common';
import { Button, CopyButton, ScrollArea, Spinner } from '../../ui';

/**
 * What a sandbox's condition says. A program may have written it: it is shown as text, line by line, with what would be
 * invisible made visible. A row carries its beginning; the rest is read when it is asked for.
 * @param recorded the row is of the console's record: by now the sandbox says something else, and the rest was not kept
 */
export function MessageText({ row, recorded = false }: { row: SandboxRow; recorded?: boolean }) {
  const t = useTranslations('upgrades.message');
  const said = row.cause?.detail ?? row.message;
  const isCut = !recorded && (said?.endsWith('…') ?? false);
  const [open, setOpen] = useState(false);
  const { data, error } = useObject('sandboxes', row, `${row.uid}/${row.stage}/${row.gen}/${row.obs}`, open && isCut);
  if (said === undefined) return null;
  const reply = data?.object.metadata.uid === row.uid ? data : undefined;
  const whole =
    open && isCut
      ? wholeEvidence(row, reply && readSandbox(reply.object), reply?.pod ? readPod(reply.pod) : undefined)
      : said;
  const text = whole ?? said;
  const isLong = isCut || text.includes('↵');
  return (
    <div className="up-said">
      {open ? (
        <ScrollArea className="mono" label={t('whole', { name: row.name })}>
          <SafeText text={text === said ? text.replaceAll('↵', '\n').replaceAll('→', '\t') : text} lines="keep" />
        </ScrollArea>
      ) : (
        <code className="mono cut" title={said}>
          <SafeText text={said} />
        </code>
      )}
      <span className="row">
        {isLong ? (
          <Button size="sm" variant="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('less') : t('more')}
          </Button>
        ) : null}
        {open && isCut && !reply && !error ? <Spinner /> : null}
        {error ? <span className="sm mut">{t('unreadable')}</span> : null}
        {recorded && said.endsWith('…') ? <span className="sm mut">{t('notKept')}</span> : null}
        <CopyButton text={text} label={t('copy')} />
      </span>
    </div>
  );
}
