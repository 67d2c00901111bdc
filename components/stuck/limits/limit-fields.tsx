'use client';

import { RotateCcw } from 'lucide-react';
import { useId } from 'react';
import { StateBadge } from '@/components/common';
import { IconButton } from '@/components/ui';
import type { LimitedState, LimitSettings } from '@/lib/contracts/triage';
import {
  editKey,
  inherited,
  type LimitEdits,
  type LimitFault,
  type LimitField,
  type LimitText,
  limitFields,
  shownText,
  writeSpan,
} from '@/lib/domain/limit-edits';
import { limitedStates } from '@/lib/domain/limits';
import { useTranslations } from '@/lib/i18n/use-translations';

/** One line a state: amber and red after how long. The grey value is what counts while a field is empty. */
export function LimitFields({
  pool,
  settings,
  stored,
  edits,
  faults,
  onType,
}: {
  /** `''`: all pools. */
  pool: string;
  /** With what was typed, for what is inherited. */
  settings: Pick<LimitSettings, 'states' | 'pools'>;
  stored: LimitSettings;
  edits: LimitEdits;
  faults: ReadonlyMap<string, { field: LimitField; fault: LimitFault }>;
  onType: (state: LimitedState, change: Partial<LimitText>) => void;
}) {
  const t = useTranslations('triage.limits');
  const td = useTranslations('domain.state');
  const id = useId();
  return (
    <table className="tbl limits">
      <thead>
        <tr>
          <th scope="col">{t('state')}</th>
          {limitFields.map((field) => (
            <th key={field} scope="col" className="w-21">
              {t(field)}
            </th>
          ))}
          <th scope="col" className="w-10">
            <span className="sr-only">{t('reset')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {limitedStates.map((state) => {
          const text = edits.get(editKey(pool, state)) ?? shownText(stored, pool, state);
          const without = inherited(settings, pool, state);
          const wrong = faults.get(editKey(pool, state));
          const errorId = `${id}-${state}`;
          const empty = text.warn === '' && text.breach === '';
          return (
            <tr key={state}>
              <th scope="row" className="font-normal">
                <StateBadge state={state} />
                {wrong ? (
                  <p className="ferr whitespace-normal" id={errorId}>
                    {t(`fault.${wrong.fault}`)}
                  </p>
                ) : null}
              </th>
              {limitFields.map((field) => (
                <td key={field}>
                  <input
                    className="in num w-full! min-w-0!"
                    aria-label={t('fieldOf', { state: td(state), which: t(field) })}
                    aria-invalid={wrong?.field === field}
                    aria-describedby={wrong ? errorId : undefined}
                    autoComplete="off"
                    spellCheck={false}
                    placeholder={writeSpan(without[field])}
                    value={text[field]}
                    onChange={(event) => onType(state, { [field]: event.target.value })}
                  />
                </td>
              ))}
              <td>
                {empty ? null : (
                  <IconButton
                    label={t('resetOf', { state: td(state) })}
                    icon={RotateCcw}
                    onClick={() => onType(state, { warn: '', breach: '' })}
                  />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
