import { expect, it } from 'vitest';
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

it('names are what the console takes for one', () => {
  const all = [...Object.keys(trapScenarios), ...Object.keys(faultKinds)];
  expect(all.filter((name) => !/^[a-z0-9-]{1,40}$/.test(name))).toEqual([]);
  expect(new Set(all).size).toBe(all.length);
});
