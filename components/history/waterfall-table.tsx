'use client';

import { Exact, SafeText } from '@/components/common';
import { causeCode } from '@/lib/contracts/rows';
import type { Waterfall } from '@/lib/domain/waterfall';
import { useTranslations } from '@/lib/i18n/use-translations';
import { FigureTable } from './as-chart';
import { usePlaceName } from './place-name';
import { useStayWords } from './waterfall-chart';

/** The same stays in numbers and words. */
export function WaterfallTable({ fall }: { fall: Waterfall }) {
  const t = useTranslations('timing.waterfall');
  const clock = useTranslations('stuck.clock');
  const states = useTranslations('domain.cause');
  const place = usePlaceName();
  const words = useStayWords();
  const causeOf = (code: string | undefined) => {
    const known = causeCode.safeParse(code);
    return known.success ? states(known.data) : (code ?? '–');
  };
  return (
    <FigureTable
      label={t('label')}
      heads={[t('place'), t('lasted'), t('state'), t('begin'), t('clock'), t('note'), t('cause'), t('node')]}
      words={6}
    >
      {fall.bars.map((bar) => {
        const { stay } = bar;
        const { lasted, note } = words(bar);
        return (
          <tr key={`${stay.from}/${stay.state}/${stay.stage}/${stay.gate}/${bar.x0}`}>
            <th scope="row">{place(stay)}</th>
            <td className="num">{lasted}</td>
            <td>{place({ state: stay.state })}</td>
            <td>{stay.from === undefined ? '–' : <Exact at={stay.from} />}</td>
            <td>{clock(stay.fromSource)}</td>
            <td>{note}</td>
            <td>{causeOf(stay.cause)}</td>
            <td>{stay.node === undefined ? '–' : <SafeText text={stay.node} />}</td>
          </tr>
        );
      })}
    </FigureTable>
  );
}
