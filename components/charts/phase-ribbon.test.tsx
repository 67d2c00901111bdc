// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PhaseRibbon } from './phase-ribbon';

it('draws nothing over the time in which nobody watched', () => {
  const samples = [0, 10, 40, 50].map((at) => ({ at, count: 2, overdue: 0 }));
  const { container } = render(<PhaseRibbon samples={samples} gaps={[{ from: 12, to: 38 }]} from={0} to={100} />);
  expect([...container.querySelectorAll('path')].at(-1)?.getAttribute('d')).toBe('M0.0 3.0L10.0 3.0M40.0 3.0L50.0 3.0');
});
