'use client';

import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { sliderMax } from './scale-number';
import '../../writes/writes.css';

/** The number as a place between nothing and about three times the present, which is marked. */
export function ScaleSlider({ from, to, onChange }: { from: number; to: number; onChange: (to: number) => void }) {
  const t = useTranslations('writes.scale');
  const f = useFormats();
  const max = sliderMax(from, to);
  const at = (value: number) => `${(value / max) * 100}%`;
  // Labels at the ends stand still; the one of the present number leaves when it would run into them.
  const share = from / max;
  return (
    <div className="slide">
      <input
        type="range"
        className="write-range"
        aria-label={t('slider')}
        min={0}
        max={max}
        value={to}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
      <i style={{ width: at(to) }} />
      <u style={{ left: at(from) }} />
      <b style={{ left: at(to) }} aria-hidden="true" />
      <em style={{ left: 2 }}>{share > 0.06 ? 0 : null}</em>
      <em style={{ left: at(from), ...(share <= 0.06 ? { transform: 'none', left: 0 } : {}) }}>
        {t('now', { count: f.number(from) })}
      </em>
      <em style={{ left: '100%', transform: 'translateX(-100%)' }}>{f.number(max)}</em>
    </div>
  );
}
