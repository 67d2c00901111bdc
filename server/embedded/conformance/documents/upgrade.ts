import { everyLine, lines, someLines, table } from './expectations';
import type { Step, Transcript } from './transcript';

const OPS = 'NAME PHASE TOTAL UPDATED UPDATING FAILED AGE';
const AGE = /^(\d+[smh])+$/;
const SELECTED = '-l agents.kruise.io/sandbox-template=my-sandbox-pool,agents.kruise.io/sandbox-claimed=true';
const ops = (name: string, done: string) => `sandboxupdateops.agents.kruise.io/${name} ${done}`;

const apply = (name: string): Step => ({ line: `apply -f @${name}.yaml`, expect: ops(name, 'created') });
const ends = (name: string, phase: 'Completed' | 'Failed', ...counts: string[]): Step[] => [
  {
    line: `wait sandboxupdateops/${name} --for=jsonpath='{.status.phase}'=${phase} --timeout=90s`,
    expect: ops(name, 'condition met'),
  },
  { line: `get sandboxupdateops ${name}`, expect: table(OPS, [name, phase, ...counts, AGE]) },
];
const remove = (name: string): Step => ({
  line: `delete sandboxupdateops ${name}`,
  expect: lines(new RegExp(`^sandboxupdateops\\.agents\\.kruise\\.io "${name}" deleted`)),
});
const each = (fields: string, count: number, wanted: string): Step => ({
  line: `get sandbox ${SELECTED} -o jsonpath='{range .items[*]}${fields}{"\\n"}{end}'`,
  expect: everyLine(count, wanted),
  eventually: true,
});
const IMAGE = '{.status.phase} {.spec.template.spec.containers[*].image}';
const UPGRADING =
  '{.status.phase} {.status.conditions[?(@.type=="Upgrading")].status} {.status.conditions[?(@.type=="Upgrading")].reason}';
const image = (version: string) => each(IMAGE, 4, `Running my-registry/sandbox-image:${version}`);
const pause = (what: string, paused: boolean, done: string): Step => ({
  line: `patch ${what} --type merge -p '{"spec":{"paused":${paused}}}'`,
  expect: done,
});

const preparation: Step[] = [
  { line: 'apply -f @hooked-pool.yaml', expect: 'sandboxset.agents.kruise.io/my-sandbox-pool created' },
  {
    line: "wait sbs/my-sandbox-pool --for=jsonpath='{.status.availableReplicas}'=2 --timeout=60s",
    expect: 'sandboxset.agents.kruise.io/my-sandbox-pool condition met',
  },
  { line: 'apply -f @my-agents.yaml', expect: 'sandboxclaim.agents.kruise.io/my-agents created' },
  {
    line: "wait sandboxclaim/my-agents --for=jsonpath='{.status.phase}'=Completed --timeout=90s",
    expect: 'sandboxclaim.agents.kruise.io/my-agents condition met',
  },
  image('v1'),
];

const upgrades: Step[] = [
  {
    line: 'apply --dry-run=server -f @upgrade-my-sandboxes.yaml',
    expect: ops('upgrade-my-sandboxes', 'created (server dry run)'),
  },
  apply('upgrade-my-sandboxes'),
  {
    line: `get sandbox ${SELECTED} --watch -o jsonpath='{.status.phase}{"\\n"}'`,
    until: (stdout) => stdout.includes('Upgrading\n'),
  },
  ...ends('upgrade-my-sandboxes', 'Completed', '4', '4', '0', '0'),
  image('v2'),
  {
    line: 'get sandbox -l agents.kruise.io/sandbox-claimed=false -o jsonpath=\'{range .items[*]}{.spec.template.spec.containers[*].image}{"\\n"}{end}\'',
    expect: everyLine(2, 'my-registry/sandbox-image:v1'),
  },
  apply('upgrade-with-backup'),
  ...ends('upgrade-with-backup', 'Completed', '4', '4', '0', '0'),
  each(UPGRADING, 4, 'Running True Succeeded'),
  apply('patch-demo'),
  ...ends('patch-demo', 'Completed', '4', '4', '0', '0'),
  image('v4'),
  each(
    '{.spec.template.spec.containers[*].env[?(@.name=="LOG_LEVEL")].value}/{.spec.template.spec.volumes[*].name}',
    4,
    'debug/',
  ),
];

const checkpoints: Step[] = [
  {
    line: 'apply -f @checkpoint-with-image.yaml',
    refused:
      /admission webhook "v-suo\.kb\.io" denied the request: .*CheckpointRestore strategy does not support modifying container images \(container "sandbox"\)/,
    ofWebhooks: true,
  },
  {
    line: 'apply --dry-run=server -f @upgrade-sidecar.yaml',
    expect: ops('upgrade-sidecar', 'created (server dry run)'),
  },
];

const pausing: Step[] = [
  { line: `get sandbox ${SELECTED} -o jsonpath='{.items[0].metadata.name}'`, keep: 'sandbox' },
  pause('sandbox $sandbox', true, 'sandbox.agents.kruise.io/$sandbox patched'),
  {
    line: 'wait sandbox/$sandbox --for=condition=SandboxPaused --timeout=60s',
    expect: 'sandbox.agents.kruise.io/$sandbox condition met',
  },
  apply('upgrade-with-paused'),
  {
    line: "wait sandboxupdateops/upgrade-with-paused --for=jsonpath='{.status.phase}'=Updating --timeout=60s",
    expect: ops('upgrade-with-paused', 'condition met'),
  },
  {
    line: 'apply -f @upgrade-without-backup.yaml',
    refused:
      /admission webhook "v-suo\.kb\.io" denied the request: .*there is an active SandboxUpdateOps in the same namespace: upgrade-with-paused/,
    ofWebhooks: true,
  },
  ...ends('upgrade-with-paused', 'Completed', '4', '4', '0', '0'),
  {
    line: `get sandbox $sandbox -o jsonpath='${IMAGE}'`,
    expect: 'Paused my-registry/sandbox-image:v5',
    eventually: true,
  },
  pause('sandbox $sandbox', false, 'sandbox.agents.kruise.io/$sandbox patched'),
  image('v5'),
];

const failures: Step[] = [
  apply('backup-fails'),
  ...ends('backup-fails', 'Failed', '4', '0', '0', '4'),
  each(UPGRADING, 4, 'Upgrading False PreUpgradeFailed'),
  {
    line: 'get sandbox $sandbox -o yaml',
    expect: someLines(
      'reason: PreUpgradeFailed',
      'reason: Upgrading',
      'phase: Upgrading',
      'agents.kruise.io/upgrade-failed: "true"',
    ),
  },
  remove('backup-fails'),
  apply('upgrade-without-backup'),
  ...ends('upgrade-without-backup', 'Completed', '4', '4', '0', '0'),
  image('v6'),
  apply('image-fails'),
  ...ends('image-fails', 'Failed', '4', '0', '0', '4'),
  each(UPGRADING, 4, 'Upgrading False UpgradePodFailed'),
  remove('image-fails'),
  apply('rollback-sandboxes'),
  ...ends('rollback-sandboxes', 'Completed', '4', '4', '0', '0'),
  image('v1'),
  apply('restore-fails'),
  ...ends('restore-fails', 'Failed', '4', '0', '0', '4'),
  each(UPGRADING, 4, 'Upgrading False PostUpgradeFailed'),
  remove('restore-fails'),
  apply('restore-again'),
  ...ends('restore-again', 'Completed', '4', '4', '0', '0'),
  image('v8'),
];

const stopping: Step[] = [
  // Names of before are free again.
  remove('upgrade-my-sandboxes'),
  apply('upgrade-my-sandboxes'),
  pause('sandboxupdateops upgrade-my-sandboxes', true, ops('upgrade-my-sandboxes', 'patched')),
  {
    line: "get sandboxupdateops upgrade-my-sandboxes -o jsonpath='{.status.phase} {.status.updatedReplicas} {.status.updatingReplicas}'",
    // Those that had begun come to their end, and no other begins.
    expect: lines(/^Updating 2 0?$/),
    eventually: true,
  },
  pause('sandboxupdateops upgrade-my-sandboxes', false, ops('upgrade-my-sandboxes', 'patched')),
  ...ends('upgrade-my-sandboxes', 'Completed', '4', '4', '0', '0'),
  image('v2'),
  {
    line: 'delete sbs my-sandbox-pool',
    expect: lines(/^sandboxset\.agents\.kruise\.io "my-sandbox-pool" deleted/),
  },
];

/** Upgrades of claimed sandboxes: with hooks, of paused ones, that fail, that are stopped, and the way back. */
export const upgrade: Transcript = {
  name: 'upgrade',
  steps: [...preparation, ...upgrades, ...checkpoints, ...pausing, ...failures, ...stopping],
};
