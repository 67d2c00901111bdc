'use client';

import { Exact, SafeText } from '@/components/common';
import { Note, ScrollArea } from '@/components/ui';
import type { ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { clockOf } from '../clock';
import { gateIsSilent } from '../silent-gate';

/** Events of the sandbox and of the Pods of its name, newest first, as long as the API server keeps them. */
export function EventsTab({ reply, row }: { reply: ObjectReply; row: SandboxRow | undefined }) {
  const t = useTranslations('sandboxes.events');
  const f = useFormats();
  const { events } = reply;
  if (events === null) {
    return (
      <div className="p-[20px]">
        <Note tone="unknown" title={t('unreadable')}>
          <SafeText text={reply.eventsProblem ?? ''} />
        </Note>
      </div>
    );
  }
  const newest = events[0]?.at;
  return (
    <>
      {events.length > 0 ? (
        <ScrollArea className="scroll" label={t('label')}>
          <table className="tbl">
            <thead>
              <tr>
                <th scope="col">{t('column.at')}</th>
                <th scope="col">{t('column.type')}</th>
                <th scope="col">{t('column.reason')}</th>
                <th scope="col">{t('column.message')}</th>
                <th scope="col" className="num">
                  {t('column.count')}
                </th>
                <th scope="col">{t('column.from')}</th>
              </tr>
            </thead>
            <tbody>
              {events.map((event) => (
                <tr key={event.uid}>
                  <td className="dim">{event.at === undefined ? '–' : <Exact at={event.at} />}</td>
                  <td className={event.type === 'Normal' ? 'mut' : 'text-attention-fg b'}>
                    <SafeText text={event.type} />
                  </td>
                  <td>
                    <SafeText text={event.reason} />
                  </td>
                  <td className="min-w-[280px] whitespace-normal! py-[6px]! wrap-anywhere">
                    <SafeText text={event.message} lines="keep" />
                  </td>
                  <td className="num">{f.number(event.count)}</td>
                  <td className="mut">{event.from ? <SafeText text={event.from} /> : '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      ) : (
        <p className="dim px-[var(--gutter)] py-3">{t('none')}</p>
      )}
      {row && newest !== undefined && gateIsSilent(row) ? (
        <p className="more">{t('silent', { at: clockOf(f, newest) })}</p>
      ) : null}
    </>
  );
}
