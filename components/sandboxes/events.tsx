'use client';

import { SafeText } from '@/components/common';
import type { EventRow, ObjectReply } from '@/lib/contracts/objects';
import type { SandboxRow } from '@/lib/contracts/rows';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { clockOf } from './clock';
import { gateIsSilent } from './silent-gate';

/** The newest events, and the reason why there are no newer ones where the controller emits none. */
export function LastEvents({ reply, row }: { reply: ObjectReply; row: SandboxRow | undefined }) {
  const t = useTranslations('sandboxes.events');
  const f = useFormats();
  const { events } = reply;
  if (events === null) {
    return (
      <p className="sm mut">
        {t('unreadable')} <SafeText text={reply.eventsProblem ?? ''} />
      </p>
    );
  }
  const newest = events[0]?.at;
  return (
    <>
      {events.length > 0 ? (
        <table className="sm w-full border-separate border-spacing-0 [&_td]:px-0 [&_td]:py-[3px] [&_td:not(:last-child)]:pr-[10px]">
          <tbody>
            {events.slice(0, 4).map((event) => (
              <LastEvent key={event.uid} event={event} />
            ))}
          </tbody>
        </table>
      ) : (
        <p className="sm dim">{t('none')}</p>
      )}
      {row && newest !== undefined && gateIsSilent(row) ? (
        <p className="sm dim mt-1">{t('silent', { at: clockOf(f, newest) })}</p>
      ) : null}
    </>
  );
}

function LastEvent({ event }: { event: EventRow }) {
  const f = useFormats();
  return (
    <tr>
      <td className="dim" title={event.at === undefined ? undefined : f.exact(event.at)}>
        {event.at === undefined ? '–' : clockOf(f, event.at)}
      </td>
      <td className={event.type === 'Normal' ? undefined : 'text-attention-fg'}>
        <SafeText text={event.reason} />
        {event.count > 1 ? <span className="dim"> ×{f.number(event.count)}</span> : null}
      </td>
      <td className="mut cut w-full max-w-0" title={event.message}>
        <SafeText text={event.message} />
      </td>
    </tr>
  );
}
