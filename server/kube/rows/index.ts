import 'server-only';

export { projectClaim, projectNamespace, projectNode } from './others';
export { digestPod } from './pod';
export { projectPool, specWrittenAt, withReferenced } from './pool';
export { projectSandbox, type UpgradeStep, upgradeStepOf } from './sandbox';
export { projectUpgrade } from './upgrade';
