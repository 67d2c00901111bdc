import { expect, it } from 'vitest';
import { causeCodes } from '@/lib/contracts/rows';
import { type FindingCode, moreSandboxCodes, operationCodes, otherCodes, poolCodes } from './codes';
import { hintRules } from './diagnose';
import { allGates } from './gates';
import { operationRules } from './operations/diagnose-operation';
import { checkpointRules } from './others/checkpoint';
import { claimRules } from './others/claim';
import { poolRules } from './pools/diagnose-pool';
import { traps } from './traps';

const ruled = new Set<FindingCode>([
  ...allGates().flatMap(({ rules }) => rules.map(({ code }) => code)),
  ...hintRules.map(({ code }) => code),
  ...poolRules.map(({ code }) => code),
  ...operationRules.map(({ code }) => code),
  ...claimRules.map(({ code }) => code),
  ...checkpointRules.map(({ code }) => code),
]);
const codes = [...causeCodes, ...moreSandboxCodes, ...poolCodes, ...operationCodes, ...otherCodes];

it('all 59 traps have rules, or a reason why objects cannot tell', () => {
  expect(Object.keys(traps)).toEqual(Array.from({ length: 59 }, (_, index) => `T${index + 1}`));
  for (const trap of Object.values(traps)) {
    if ('rules' in trap) for (const code of trap.rules) expect(ruled, code).toContain(code);
    else expect(trap.without.length).toBeGreaterThan(20);
  }
});

it('each code has a rule that finds it, and the other way round', () => {
  expect([...ruled].sort()).toEqual([...codes].sort());
});
