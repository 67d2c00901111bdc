'use client';

import { SafeText, SandboxState, useProblemText } from '@/components/common';
import type { SandboxRow } from '@/lib/contracts/rows';
import type { SandboxOutcome, SandboxTarget } from '@/lib/contracts/sandbox-writes';
import { useTranslations } from '@/lib/i18n/use-translations';

/** Drawn at once; more than anybody reads in a dialog. */
const shown = 200;
const rank: Record<SandboxOutcome['result'], number> = {
  unknown: 0,
  refused: 1,
  skipped: 2,
  accepted: 3,
  unchanged: 4,
};

/** Each sandbox with what would become of it, or what did, and how it is now; those in trouble first. */
export function ActionOutcomes(props: {
  items: readonly SandboxTarget[];
  outcomes: ReadonlyMap<string, SandboxOutcome> | undefined;
  /** Nothing is written yet. */
  dry: boolean;
  rowOf: (uid: string) => SandboxRow | undefined;
}) {
  const t = useTranslations('sandboxes.actions.outcome');
  const { items, outcomes, dry, rowOf } = props;
  const order = (item: SandboxTarget) => rank[outcomes?.get(item.uid)?.result ?? 'unchanged'];
  const sorted = items.toSorted((a, b) => order(a) - order(b));
  const many = new Set(items.map(({ ns }) => ns)).size > 1;
  return (
    // A scroll area has to be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="act-outcomes" aria-label={t('title')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>{t('sandbox')}</th>
            <th>{t('now')}</th>
            <th>{dry ? t('wouldBe') : t('result')}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map((item) => {
            const row = rowOf(item.uid);
            return (
              <tr key={item.uid}>
                <td className="mono">
                  <SafeText text={many ? `${item.ns}/${item.name}` : item.name} />
                </td>
                <td>{row ? <SandboxState row={row} /> : <span className="dim">{t('gone')}</span>}</td>
                <Result outcome={outcomes?.get(item.uid)} dry={dry} />
              </tr>
            );
          })}
        </tbody>
      </table>
      {sorted.length > shown ? <p className="sm dim p-2">{t('more', { count: sorted.length - shown })}</p> : null}
    </section>
  );
}

function Result({ outcome, dry }: { outcome: SandboxOutcome | undefined; dry: boolean }) {
  const t = useTranslations('sandboxes.actions.outcome');
  const say = useProblemText();
  if (!outcome) return <td className="dim">–</td>;
  const { result, problem, receipt } = outcome;
  const troubled = result === 'refused' || result === 'unknown';
  return (
    <td data-tone={result === 'unknown' ? 'unknown' : troubled ? 'breach' : undefined}>
      {t(`${dry ? 'dry' : 'done'}.${result}`)}
      {/* The template was written, and then its Pod stayed. */}
      {troubled && receipt?.changed && !dry ? <span className="sub">{t('templateOnly')}</span> : null}
      {problem ? (
        <span className="sub">
          <SafeText text={say(problem)} />
        </span>
      ) : null}
    </td>
  );
}
