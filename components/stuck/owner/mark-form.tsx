'use client';

import { useState } from 'react';
import { SafeText, useProblemText } from '@/components/common';
import { Button, Drawer, Note, RadioList, SelectField, TextArea, TextField } from '@/components/ui';
import { longestSnoozeMs, type Mark } from '@/lib/contracts/triage';
import { inForce, markOn } from '@/lib/domain/triage';
import { useFormats } from '@/lib/i18n';
import { typedTime } from '@/lib/i18n/time-zone';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { problemOf, WriteError } from '../../writes/api';
import { type MarkTarget, Since, Speaker } from './owner-cell';
import type { Triage } from './use-triage';

const kinds = ['ack', 'snooze'] as const;
const ends = ['15', '60', '240', 'at'] as const;
/** A contract's limit. */
const longestNote = 2_000;

/** One's word on a cohort or a sandbox: on it, or put off until a time; with a note for the others. */
export function MarkForm({ target, triage, onClose }: { target: MarkTarget; triage: Triage; onClose: () => void }) {
  const t = useTranslations('stuck.owner');
  const f = useFormats();
  const now = useNow();
  const own = markOn(triage.known.marks, target.scope);
  const said = own && inForce(own, now) ? own : undefined;
  const others = wider(target, triage, said);
  const [kind, setKind] = useState<(typeof kinds)[number]>(said?.kind ?? 'ack');
  const [end, setEnd] = useState<(typeof ends)[number]>('60');
  const [at, setAt] = useState('');
  // What somebody else says while this is open is not taken for seen: it would be overwritten unread.
  const [seen, setSeen] = useState(theirsIn(triage.set.error)?.version ?? own?.version ?? 0);
  const until = end === 'at' ? typedTime(at, f.timeZone) : now + Number(end) * 60_000;
  const fault = kind === 'ack' ? undefined : endFault(until, now);
  const [note, setNote] = useState(said?.note ?? '');
  const { set, remove } = triage;
  const save = () => {
    if (set.isPending || fault) return;
    const word = {
      kind,
      ...(kind === 'snooze' && until !== undefined ? { until } : {}),
      ...(note.trim() === '' ? {} : { note: note.trim() }),
    };
    set.mutate(triage.request(target.scope, word, seen), {
      onSuccess: onClose,
      // It is on the screen now: who saves again puts theirs in its place.
      onError: (error) => setSeen((was) => theirsIn(error)?.version ?? was),
    });
  };
  const failed = set.error ?? remove.error;
  return (
    <Drawer
      open
      onOpenChange={onClose}
      title={t('title')}
      subtitle={`${target.name} · ${t('covers', { count: target.rows.length })}`}
      footer={
        <>
          <Button variant="primary" busy={set.isPending} aria-disabled={fault !== undefined} onClick={save}>
            {said ? t('change') : t(kind === 'ack' ? 'take' : 'putOff')}
          </Button>
          {said ? (
            <Button busy={remove.isPending} onClick={() => remove.mutate(said, { onSuccess: onClose })}>
              {t('release')}
            </Button>
          ) : null}
          <Button variant="quiet" onClick={onClose}>
            {t('cancel')}
          </Button>
        </>
      }
    >
      {failed ? <Refusal error={failed} theirs={theirsIn(failed) ?? said} /> : null}
      {said && !failed ? <Said mark={said} /> : null}
      {others.map((mark) => (
        <Said key={mark.id} mark={mark} />
      ))}
      <RadioList
        label={t('kind')}
        value={kind}
        onChange={setKind}
        options={kinds.map((value) => ({ value, label: t(`kinds.${value}`), hint: t(`hints.${value}`) }))}
      />
      {kind === 'snooze' ? (
        <SelectField
          label={t('for')}
          hint={until === undefined || fault ? undefined : t('backAt', { at: f.dateTime(until) })}
          value={end}
          onChange={setEnd}
          options={ends.map((value) => ({
            value,
            label: value === 'at' ? t('untilTime') : f.coarse(Number(value) * 60_000),
          }))}
        />
      ) : null}
      {kind === 'snooze' && end === 'at' ? (
        <TextField
          type="datetime-local"
          label={t('time', { zone: f.zoneName(now) })}
          value={at}
          onChange={setAt}
          error={fault && at !== '' ? t(`fault.${fault}`) : undefined}
          data-first
        />
      ) : null}
      <TextArea label={t('note')} hint={t('noteHint')} value={note} onChange={setNote} maxLength={longestNote} />
    </Drawer>
  );
}

/** What was said of a part of it, or of more than it. */
function wider(target: MarkTarget, triage: Triage, own: Mark | undefined): Mark[] {
  const found = new Set(target.rows.flatMap((row) => triage.known.markOf(row) ?? []));
  return [...found].filter((mark) => mark !== own).slice(0, 5);
}

/** What somebody else has said meanwhile, as a refusal carries it. */
const theirsIn = (error: Error | null): Mark | undefined =>
  error instanceof WriteError ? error.problem.mark : undefined;

function endFault(until: number | undefined, now: number): 'time' | 'passed' | 'tooLate' | undefined {
  if (until === undefined) return 'time';
  if (until <= now) return 'passed';
  return until > now + longestSnoozeMs ? 'tooLate' : undefined;
}

function Said({ mark }: { mark: Mark }) {
  const t = useTranslations('stuck.owner');
  return (
    <div>
      <p>
        <b className="b">
          <Speaker mark={mark} />
        </b>{' '}
        <span className="mut">
          {t(`said.${mark.kind}`)}, <Since mark={mark} />
        </span>
      </p>
      {mark.note === undefined ? null : (
        <p className="mut mt-1 whitespace-pre-wrap wrap-anywhere">
          <SafeText text={mark.note} lines="keep" />
        </p>
      )}
    </div>
  );
}

/** Why it was not taken. When somebody was faster: who, when and what, and nothing of theirs is lost. */
function Refusal({ error, theirs }: { error: Error; theirs: Mark | undefined }) {
  const t = useTranslations('stuck.owner');
  const say = useProblemText();
  const conflict = error instanceof WriteError && error.problem.code === 'conflict';
  return (
    <Note tone={conflict ? 'attention' : 'breach'} title={t(conflict ? 'faster' : 'refused')} live>
      {conflict && theirs ? (
        <Said mark={theirs} />
      ) : (
        <p className="wrap-anywhere">
          <SafeText text={say(problemOf(error))} />
        </p>
      )}
      {conflict ? <p className="mt-1">{t('again')}</p> : null}
    </Note>
  );
}
