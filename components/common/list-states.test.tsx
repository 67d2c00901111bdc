// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { freshness, reply } from '@/lib/live/testing';
import { renderConsole } from '../testing/render-console';
import { ListTrouble } from './list-states';

vi.mock('next/navigation', () => ({ useRouter: () => ({}), usePathname: () => '/pools' }));
afterEach(cleanup);

const lost = () => ({
  kinds: [{ kind: 'sandboxsets', state: 'degraded' as const, reason: 'connect ECONNREFUSED 10.0.0.1:6443' }],
  cluster: { ...freshness().cluster, name: 'staging', server: 'https://10.0.0.1:6443', embedded: false },
});

async function show(over: object, locale: 'en' | 'zh-CN' = 'en') {
  const { tab, container } = await renderConsole(<ListTrouble kind="sandboxsets" />, { locale });
  await act(async () => tab.list.answer(reply(0, {}, { freshness: { ...lost(), ...over } })));
  return container;
}

it('names the API server that does not answer, why, and how to check', async () => {
  const { textContent: text } = await show({});
  expect(text).toContain('connect ECONNREFUSED 10.0.0.1:6443');
  expect(text).toContain('API server 10.0.0.1:6443 (context staging)');
  expect(text).toContain('kubectl --context staging version');
  expect(screen.getByRole('button', { name: 'Retry now' })).toBeTruthy();
});

it('says so in Chinese', async () => {
  expect((await show({}, 'zh-CN')).textContent).toContain('API server 10.0.0.1:6443（context staging）');
});

it('asks for no context that does not exist', async () => {
  const pod = await show({ cluster: { ...lost().cluster, name: 'in-cluster' } });
  expect(pod.textContent).toContain('kubectl version');
  cleanup();
  const embedded = await show({ cluster: { ...lost().cluster, name: 'embedded', embedded: true } });
  expect(embedded.textContent).not.toContain('kubectl');
});
