import type { AppLocale } from './locales';
import enCommon from './messages/en/common.json';
import enDiagnosis from './messages/en/diagnosis.json';
import enDomain from './messages/en/domain.json';
import enOverview from './messages/en/overview.json';
import enPools from './messages/en/pools.json';
import enPractice from './messages/en/practice.json';
import enSandboxes from './messages/en/sandboxes.json';
import enShell from './messages/en/shell.json';
import enStuck from './messages/en/stuck.json';
import enTasks from './messages/en/tasks.json';
import enTiming from './messages/en/timing.json';
import enTriage from './messages/en/triage.json';
import enUpgradePlan from './messages/en/upgrade-plan.json';
import enUpgrades from './messages/en/upgrades.json';
import enWrites from './messages/en/writes.json';
import zhCommon from './messages/zh-CN/common.json';
import zhDiagnosis from './messages/zh-CN/diagnosis.json';
import zhDomain from './messages/zh-CN/domain.json';
import zhOverview from './messages/zh-CN/overview.json';
import zhPools from './messages/zh-CN/pools.json';
import zhPractice from './messages/zh-CN/practice.json';
import zhSandboxes from './messages/zh-CN/sandboxes.json';
import zhShell from './messages/zh-CN/shell.json';
import zhStuck from './messages/zh-CN/stuck.json';
import zhTasks from './messages/zh-CN/tasks.json';
import zhTiming from './messages/zh-CN/timing.json';
import zhTriage from './messages/zh-CN/triage.json';
import zhUpgradePlan from './messages/zh-CN/upgrade-plan.json';
import zhUpgrades from './messages/zh-CN/upgrades.json';
import zhWrites from './messages/zh-CN/writes.json';

/** One file an area; the file's name is the namespace. English is the type of all. */
const english = {
  common: enCommon,
  diagnosis: enDiagnosis,
  domain: enDomain,
  overview: enOverview,
  pools: enPools,
  practice: enPractice,
  sandboxes: enSandboxes,
  shell: enShell,
  stuck: enStuck,
  tasks: enTasks,
  timing: enTiming,
  triage: enTriage,
  'upgrade-plan': enUpgradePlan,
  upgrades: enUpgrades,
  writes: enWrites,
};
export type AppMessages = typeof english;

const chinese = {
  common: zhCommon,
  diagnosis: zhDiagnosis,
  domain: zhDomain,
  overview: zhOverview,
  pools: zhPools,
  practice: zhPractice,
  sandboxes: zhSandboxes,
  shell: zhShell,
  stuck: zhStuck,
  tasks: zhTasks,
  timing: zhTiming,
  triage: zhTriage,
  'upgrade-plan': zhUpgradePlan,
  upgrades: zhUpgrades,
  writes: zhWrites,
};

type Tree = { [key: string]: string | Tree };

/** `over` where it speaks, `base` where it is silent. */
export function withFallback(base: Tree, over: Tree): Tree {
  const merged: Tree = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = typeof value === 'object' && typeof below === 'object' ? withFallback(below, value) : value;
  }
  return merged;
}

const trees: Record<AppLocale, Tree> = { en: english, 'zh-CN': withFallback(english, chinese) };

/** All messages of a language, complete: what it lacks stands there in English. */
export function messagesOf(locale: AppLocale): AppMessages {
  return trees[locale] as AppMessages;
}
