// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { step } from '@/lib/domain/diagnosis/steps';
import { WaysOut } from '../../stuck/explainer/ways-out';
import { renderConsole } from '../../testing/render-console';
import { setUpPage } from '../../testing/set-up-page';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn() }), usePathname: () => '/stuck' }));
vi.mock('@/components/shell', () => ({ useScope: () => ({ namespaces: [] }) }));
setUpPage();

const steps = [
  step('ForceDeletePod', { values: { node: 'node-1' }, kubectl: ['kubectl delete --force'], loses: ['memory'] }),
  step('ReleasePodFinalizer', { values: { finalizers: 'a/b' }, kubectl: ['kubectl patch pod'], loses: ['cleanUp'] }),
  step('RemoveLock', { kubectl: ['kubectl patch sbx'] }),
  step('Wait'),
];

it.each([
  [
    'en',
    /^The console does not do this itself/,
    ['files can be damaged', 'stays behind for good', 'session that is claimed'],
  ],
  ['zh-CN', /^控制台不代为执行/, ['文件可能损坏', '永远留下', '会话会随之丢失']],
] as const)('says why a step that is left to a terminal is, and what it may lose: %s', async (locale, why, losses) => {
  await renderConsole(<WaysOut steps={steps} useless={[]} cause={undefined} actionOf={() => null} />, { locale });
  const reasons = screen.getAllByText(why).map(({ textContent }) => textContent);
  expect(reasons).toHaveLength(3);
  for (const [index, loss] of losses.entries()) expect(reasons[index]).toContain(loss);
});
