import { expect, it } from 'vitest';
import { z } from 'zod';
import { practiceFault } from '@/lib/contracts/practice';
import { messagesOf } from '@/lib/i18n/messages';
import { groups } from '../faults/fault';
import { faultKinds } from '../faults/index';
import { trapScenarios } from '../scenarios/traps/index';

it('the console has Chinese words for everything that can be started', () => {
  const { items, groups: named } = messagesOf('zh-CN').practice;
  const all = [...Object.keys(trapScenarios), ...Object.keys(faultKinds)];
  expect(Object.keys(items).sort()).toEqual(all.sort());
  expect(Object.keys(named).sort()).toEqual(Object.keys(groups).sort());
});

it.each(['en', 'zh-CN'] as const)('the console has words in %s for everything that faults take', (locale) => {
  const { parameters } = messagesOf(locale).practice;
  const used = Object.entries(faultKinds).flatMap(([fault, { params }]) =>
    Object.keys(practiceFault.shape.params.parse(z.toJSONSchema(params, { io: 'input' })).properties).map((name) =>
      `${fault}/${name}` in parameters ? `${fault}/${name}` : name,
    ),
  );
  expect([...new Set(used)].sort()).toEqual(Object.keys(parameters).sort());
});

it('names are what the console takes for one', () => {
  const all = [...Object.keys(trapScenarios), ...Object.keys(faultKinds)];
  expect(all.filter((name) => !/^[a-z0-9-]{1,40}$/.test(name))).toEqual([]);
  expect(new Set(all).size).toBe(all.length);
});
