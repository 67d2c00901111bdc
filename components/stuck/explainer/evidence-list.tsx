'use client';

import { SafeText } from '@/components/common';
import type { Evidence, GateResult } from '@/lib/domain/diagnosis/verdict';
import { parseTime } from '@/lib/domain/time';
import { useFormats } from '@/lib/i18n';
import { clockOf } from '../../sandboxes/clock';

const isTime = (path: string) => path.endsWith('.lastTransitionTime') || path.endsWith('Timestamp');

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

/** `True, 02:52:58`: what a gate that is passed was judged by. */
export function PassedBy({ gate }: { gate: GateResult }) {
  const f = useFormats();
  const status = gate.evidence.find(({ path }) => path.endsWith('.status'))?.value;
  const time = gate.evidence.find(({ path }) => isTime(path))?.value;
  const at = time === undefined ? undefined : parseTime(time);
  if (status === undefined) return null;
  return (
    <span title={at === undefined ? undefined : f.exact(at)}>
      <SafeText text={status} />
      {at === undefined ? null : `, ${clockOf(f, at)}`}
    </span>
  );
}
