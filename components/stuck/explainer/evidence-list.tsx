'use client';

import { SafeText } from '@/components/common';
import type { Evidence, GateResult } from '@/lib/domain/diagnosis/verdict';
import { visibleText } from '@/lib/domain/text';
import { parseTime } from '@/lib/domain/time';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { clockOf } from '../../sandboxes/clock';
import { shortUid } from '../../sandboxes/short';

const isTime = (path: string) =>
  path.endsWith('.lastTransitionTime') || path.endsWith('Timestamp') || path.endsWith('.startedAt');

/** Values of objects with the place where each stands; times in the zone of the page, as written on hover. */
export function EvidenceList({ evidence }: { evidence: readonly Evidence[] }) {
  const f = useFormats();
  if (evidence.length === 0) return null;
  return (
    <dl className="grid gap-[6px]">
      {evidence.map(({ path, value }) => {
        const at = isTime(path) ? parseTime(value) : undefined;
        return (
          <div key={path} className="min-w-0">
            <dt className="dim micro wrap-anywhere">{path}</dt>
            <dd className="mono whitespace-pre-wrap wrap-anywhere">
              {at === undefined ? <SafeText text={value} lines="keep" /> : <span title={value}>{f.dateTime(at)}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** `True, 02:52:58`, `worker-3, 02:53:01`: what a gate that is passed was judged by. */
export function PassedBy({ gate }: { gate: GateResult }) {
  const f = useFormats();
  const t = useTranslations('stuck.gates');
  const [first] = gate.evidence;
  if (first === undefined) return null;
  const time = gate.evidence.find(({ path }) => isTime(path))?.value;
  const at = time === undefined ? undefined : parseTime(time);
  const value = first.path.endsWith('UID') || first.path.endsWith('.uid') ? shortUid(first.value) : first.value;
  const shown = visibleText(value, 'mark');
  return (
    <span title={gate.evidence.map((each) => `${each.path} = ${visibleText(each.value, 'mark')}`).join('\n')}>
      {sayIn(gate.code)}
      {at === undefined ? null : `, ${clockOf(f, at)}`}
    </span>
  );
  function sayIn(code: string) {
    switch (code) {
      case 'OldPodGone':
        return t('gone', { uid: shown });
      case 'InitImages':
        return t('equal', { names: shown });
      case 'ContainersStart':
        return t('pulled', { count: shown });
      default:
        return shown;
    }
  }
}
