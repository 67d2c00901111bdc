'use client';

import { displayState } from '@/lib/contracts/rows';
import { type GateCode, gateCodes } from '@/lib/domain/diagnosis/gates';
import { visibleText } from '@/lib/domain/text';
import { useTranslations } from '@/lib/i18n/use-translations';

const isGate = (code: string): code is GateCode => (gateCodes as readonly string[]).includes(code);

/** The words for where a sandbox stayed: its gate, else its stage as the controller writes it, else its state. */
export function usePlaceName(): (place: {
  state?: string | undefined;
  stage?: string | undefined;
  gate?: string | undefined;
}) => string {
  const gates = useTranslations('diagnosis.gate');
  const states = useTranslations('domain.state');
  return ({ state, stage, gate }) => {
    if (gate !== undefined) return isGate(gate) ? gates(gate) : visibleText(gate, 'mark');
    if (stage !== undefined) return visibleText(stage, 'mark');
    const known = displayState.safeParse(state);
    return known.success ? states(known.data) : visibleText(state ?? '–', 'mark');
  };
}
