import { everyLine, lines, someLines } from './expectations';
import type { Step, Transcript } from './transcript';

const sandbox = (name: string, done: string) => `sandbox.agents.kruise.io/${name} ${done}`;
const CRD = 'sandboxes.agents.kruise.io';
const UUID = /^[0-9a-f-]{36}$/;

const installation: Step[] = [
  {
    line: 'api-resources --api-group=agents.kruise.io --no-headers -o name',
    expect: someLines(
      ...[
        'sandboxes',
        'sandboxsets',
        'sandboxclaims',
        'sandboxtemplates',
        'sandboxupdateops',
        'checkpoints',
        'commits',
      ].map((plural) => `${plural}.agents.kruise.io`),
    ),
  },
  { line: `get crd ${CRD} -o yaml`, keep: 'definition' },
  {
    line: 'apply --server-side --force-conflicts --dry-run=server -f -',
    stdin: 'definition',
    expect: `customresourcedefinition.apiextensions.k8s.io/${CRD} serverside-applied (server dry run)`,
  },
  { line: 'explain sandbox.spec.pauseStrategy.type', expect: someLines(/^FIELD: type <string>$/, /^KIND: +Sandbox$/) },
];

const delivery: Step[] = [
  { line: 'apply -f @python-tools.yaml', expect: 'sandboxset.agents.kruise.io/python-tools created' },
  {
    line: "wait sbs/python-tools --for=jsonpath='{.status.availableReplicas}'=2 --timeout=60s",
    expect: 'sandboxset.agents.kruise.io/python-tools condition met',
  },
  { line: 'create -f @task.yaml', expect: 'sandboxclaim.agents.kruise.io/csv-task created' },
  {
    line: "wait sandboxclaim/csv-task --for=jsonpath='{.status.claimedReplicas}'=1 --timeout=60s",
    expect: 'sandboxclaim.agents.kruise.io/csv-task condition met',
  },
  {
    line: "get sandboxes -l agents.kruise.io/sandbox-claimed=true -o jsonpath='{.items[*].metadata.name}'",
    expect: lines(/^python-tools-[a-z0-9]{5}$/),
    keep: 'delivered',
  },
  // What is delivered is no stock any more.
  {
    line: 'get sandboxes -l agents.kruise.io/sandbox-pool=python-tools,agents.kruise.io/sandbox-claimed=false -o jsonpath=\'{range .items[*]}{.status.phase}{"\\n"}{end}\'',
    expect: everyLine(2, 'Running'),
    eventually: true,
  },
];

const stopAndResume = (name: string): Step[] => [
  { line: `apply -f @${name}.yaml`, expect: sandbox(name, 'created') },
  { line: `wait sandbox/${name} --for=condition=Ready --timeout=60s`, expect: sandbox(name, 'condition met') },
  { line: `get sandbox ${name} -o jsonpath='{.metadata.uid}'`, expect: lines(UUID), keep: 'sandboxUid' },
  { line: `get pod ${name} -o jsonpath='{.metadata.uid}'`, expect: lines(UUID), keep: 'podUid' },
  {
    line: `patch sandbox ${name} --type merge -p '{"spec":{"paused":true}}'`,
    expect: sandbox(name, 'patched'),
  },
  { line: `wait sandbox/${name} --for=condition=SandboxPaused --timeout=60s`, expect: sandbox(name, 'condition met') },
  { line: `get pod ${name}`, refused: new RegExp(`^Error from server \\(NotFound\\): pods "${name}" not found\\n$`) },
  {
    line: `patch sandbox ${name} --type merge -p '{"spec":{"paused":false}}'`,
    expect: sandbox(name, 'patched'),
  },
  { line: `wait pod/${name} --for=create --timeout=60s`, expect: lines(new RegExp(`^pod/${name} condition met$`)) },
  { line: `wait pod/${name} --for=condition=Ready --timeout=60s`, expect: `pod/${name} condition met` },
  {
    line: `get pod ${name} -o jsonpath='{.metadata.uid}'`,
    expect: (stdout, kept) => (stdout.trim() === kept.get('podUid') ? ['the Pod is the one of before'] : []),
  },
];

const resuming: Step[] = [
  ...stopAndResume('tagged'),
  { line: 'wait sandbox/tagged --for=condition=Ready --timeout=60s', expect: sandbox('tagged', 'condition met') },
  { line: "get sandbox tagged -o jsonpath='{.status.phase} {.metadata.uid}'", expect: 'Running $sandboxUid' },
  ...stopAndResume('pinned'),
  {
    line: "get pod pinned -o jsonpath='{.status.phase} {.status.initContainerStatuses[0].image}'",
    expect: lines(/^Running sha256:[0-9a-f]{64}$/),
  },
  {
    line: "wait sandbox/pinned --for=jsonpath='{.status.phase}'=Running --timeout=5s",
    refused: /^error: timed out waiting for the condition on sandboxes\/pinned\n$/,
  },
  { line: "get sandbox pinned -o jsonpath='{.status.phase}'", expect: 'Resuming' },
  {
    line: `patch sandbox pinned --type json -p '[{"op":"replace","path":"/spec/template/spec/initContainers/0/image","value":"registry.example.com/lab/agent-runtime:v0.3.0-lab"}]'`,
    expect: sandbox('pinned', 'patched'),
  },
  { line: 'delete pod pinned', expect: lines(/^pod "pinned" deleted/) },
  { line: 'wait sandbox/pinned --for=condition=Ready --timeout=60s', expect: sandbox('pinned', 'condition met') },
  { line: "get sandbox pinned -o jsonpath='{.status.phase} {.metadata.uid}'", expect: 'Running $sandboxUid' },
];

const recycling: Step[] = [
  {
    line: 'delete sbs python-tools',
    expect: lines(/^sandboxset\.agents\.kruise\.io "python-tools" deleted/),
  },
  {
    line: `patch sandbox $delivered --type merge -p '{"spec":{"shutdownTime":"2020-01-01T00:00:00Z"}}'`,
    expect: sandbox('$delivered', 'patched'),
  },
  { line: 'wait sandbox/$delivered --for=delete --timeout=60s' },
  { line: 'get pod $delivered', refused: /^Error from server \(NotFound\)/, eventually: true },
  {
    line: 'delete sandbox tagged pinned',
    expect: everyLine(2, /^sandbox\.agents\.kruise\.io "(tagged|pinned)" deleted/),
  },
];

/** What somebody did on a test cluster: installing, delivering from stock, stopping and resuming, the digest that never resumes. */
export const fieldReport: Transcript = {
  name: 'field-report',
  steps: [...installation, ...delivery, ...resuming, ...recycling],
};
