import { expect, it } from 'vitest';
import { causeCodes } from '@/lib/contracts/rows';
import { moreSandboxCodes, operationCodes, otherCodes, poolCodes } from '@/lib/domain/diagnosis/codes';
import { gateCodes } from '@/lib/domain/diagnosis/gates';
import { stepCodes } from '@/lib/domain/diagnosis/steps';
import en from '@/lib/i18n/messages/en/diagnosis.json';
import domain from '@/lib/i18n/messages/en/domain.json';
import sandboxes from '@/lib/i18n/messages/en/sandboxes.json';
import zh from '@/lib/i18n/messages/zh-CN/diagnosis.json';
import zhSandboxes from '@/lib/i18n/messages/zh-CN/sandboxes.json';

const codes = [...causeCodes, ...moreSandboxCodes, ...poolCodes, ...operationCodes, ...otherCodes];

it('each code, gate and step has its words in both languages', () => {
  const says = { ...sandboxes.says, ...en.says };
  for (const code of codes) if (code !== 'InitImageMismatch') expect(says, code).toHaveProperty(code);
  for (const code of causeCodes) expect(domain.cause).toHaveProperty(code);
  for (const messages of [en, zh]) {
    expect(Object.keys(messages.gate).sort()).toEqual([...gateCodes].sort());
    expect(Object.keys(messages.step).sort()).toEqual([...stepCodes].sort());
  }
});

it.each(['HookFailed', 'UpgradePodFailed', 'CheckpointPending'])('why another Pod changes nothing: %s', (code) => {
  for (const { actions } of [sandboxes, zhSandboxes]) expect(actions.cannotHelp.DeletePod).toHaveProperty(code);
});
