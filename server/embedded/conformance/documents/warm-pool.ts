import { everyLine, lines, rowsUntil, someLines, table } from './expectations';
import type { Transcript } from './transcript';

const POOL = 'NAME REPLICAS AVAILABLE UPDATEDREPLICAS UPDATEDAVAILABLEREPLICAS UPDATEREVISION AGE';
const HASH = /^[a-z0-9]{6,10}$/;
const AGE = /^(\d+[smh])+$/;
const set = (name: string, done: string) => `sandboxset.agents.kruise.io/${name} ${done}`;
const row = (name: string, ...counts: string[]) => [name, ...counts, HASH, AGE];
const COUNTS =
  "-o jsonpath='{.spec.replicas} {.status.availableReplicas} {.status.updatedReplicas} {.status.updatedAvailableReplicas}'";
const WATCHED =
  "--no-headers -o custom-columns='R:.status.replicas,A:.status.availableReplicas,U:.status.updatedReplicas,V:.status.updatedAvailableReplicas'";

/** Making, scaling and upgrading a pool, and taking from it. */
export const warmPool: Transcript = {
  name: 'warm-pool',
  steps: [
    { line: 'apply -f @demo.yaml', expect: set('demo', 'created') },
    // A merge patch knows lists only as a whole, and the webhook has filled in this one.
    { line: 'apply -f @demo.yaml', expect: set('demo', 'configured') },
    {
      line: "wait sbs/demo --for=jsonpath='{.status.availableReplicas}'=10 --timeout=60s",
      expect: set('demo', 'condition met'),
    },
    { line: 'get sbs', expect: table(POOL, row('demo', '10', '10', '10', '10')), eventually: true },
    {
      line: 'get pods -o jsonpath=\'{range .items[*]}{.metadata.annotations.foo} {.spec.containers[*].image}{"\\n"}{end}\'',
      expect: everyLine(10, 'bar nginx:alpine'),
    },
    { line: 'scale sbs demo --replicas=20', expect: set('demo', 'scaled') },
    { line: `get sbs demo ${COUNTS}`, expect: '20 20 20 20', eventually: true },
    { line: 'scale sbs demo --replicas=5', expect: set('demo', 'scaled') },
    { line: `get sbs demo ${COUNTS}`, expect: '5 5 5 5', eventually: true },
    {
      line: 'get sandboxes -l agents.kruise.io/sandbox-template=demo -o name',
      expect: everyLine(5, /^sandbox\.agents\.kruise\.io\/demo-[a-z0-9]{5}$/),
      eventually: true,
    },
    {
      line: 'replace -f @demo-stale.yaml',
      refused:
        /^Error from server \(Conflict\): .*Operation cannot be fulfilled on sandboxsets\.agents\.kruise\.io "demo": /,
    },

    { line: 'apply -f @paced.yaml', expect: set('paced', 'created') },
    { line: 'scale sbs paced --replicas=20', expect: set('paced', 'scaled') },
    {
      line: `get sbs paced --watch ${WATCHED}`,
      ...rowsUntil([20, 20, 20, 20], 'at most 5 are being created', ([all = 0, available = 0]) => all - available <= 5),
    },
    { line: 'delete sbs paced', expect: lines(/^sandboxset\.agents\.kruise\.io "paced" deleted/) },

    { line: 'apply -f @my-sandbox-pool.yaml', expect: set('my-sandbox-pool', 'created') },
    { line: `get sbs my-sandbox-pool ${COUNTS}`, expect: '10 10 10 10', eventually: true },
    { line: "get sbs my-sandbox-pool -o jsonpath='{.status.updateRevision}'", expect: lines(HASH), keep: 'before' },
    {
      line: `patch sbs my-sandbox-pool --type merge -p '{"spec":{"template":{"spec":{"containers":[{"name":"sandbox","image":"my-registry/sandbox-image:v2"}]}}}}'`,
      expect: set('my-sandbox-pool', 'patched'),
    },
    {
      line: `get sandboxset my-sandbox-pool --watch ${WATCHED}`,
      // The counters are those of before until the new revision is there: only then can all of them be of it.
      until: (stdout) =>
        /^10 +[89] /m.test(stdout) && stdout.trimEnd().split('\n').at(-1)?.split(/ +/).join(' ') === '10 10 10 10',
      expect: rowsUntil([10, 10, 10, 10], '20% may be unavailable', ([, available = 0]) => available >= 8).expect,
    },
    {
      line: 'get sandboxset my-sandbox-pool -o wide',
      expect: table(POOL, row('my-sandbox-pool', '10', '10', '10', '10')),
    },
    { line: "get sbs my-sandbox-pool -o jsonpath='{.status.updateRevision}'", expect: lines(HASH), keep: 'revision' },
    {
      line: 'get sandboxes -l agents.kruise.io/sandbox-template=my-sandbox-pool -o custom-columns=NAME:.metadata.name,PHASE:.status.phase,REVISION:.metadata.labels.agents\\.kruise\\.io/template-hash',
      expect: table(
        'NAME PHASE REVISION',
        ...Array.from({ length: 10 }, () => [/^my-sandbox-pool-[a-z0-9]{5}$/, 'Running', '$revision']),
      ),
      eventually: true,
    },
    {
      line: 'edit sbs my-sandbox-pool',
      editor: 'sed -i s/sandbox-image:v2/sandbox-image:v3/',
      expect: set('my-sandbox-pool', 'edited'),
    },
    {
      line: 'get sandboxes -l agents.kruise.io/sandbox-template=my-sandbox-pool -o jsonpath=\'{range .items[*]}{.status.phase} {.spec.template.spec.containers[*].image}{"\\n"}{end}\'',
      expect: everyLine(10, 'Running my-registry/sandbox-image:v3'),
      eventually: true,
    },

    { line: 'scale sbs demo --replicas=3', expect: set('demo', 'scaled') },
    { line: `get sbs demo ${COUNTS}`, expect: '3 3 3 3', eventually: true },
    { line: 'apply -f @demo-claim.yaml', expect: 'sandboxclaim.agents.kruise.io/agent-run created' },
    {
      line: "wait sandboxclaim/agent-run --for=jsonpath='{.status.phase}'=Completed --timeout=60s",
      expect: 'sandboxclaim.agents.kruise.io/agent-run condition met',
    },
    {
      line: 'get sandboxclaim agent-run',
      expect: table('NAME PHASE TEMPLATE DESIRED CLAIMED AGE', ['agent-run', 'Completed', 'demo', '1', '1', AGE]),
    },
    { line: `get sbs demo ${COUNTS}`, expect: '3 3 3 3', eventually: true },
    {
      line: 'get sandboxes -l agents.kruise.io/sandbox-template=demo -o jsonpath=\'{range .items[*]}{.metadata.labels.agents\\.kruise\\.io/sandbox-claimed}{"\\n"}{end}\'',
      expect: (stdout, kept) => [
        ...everyLine(4, /^(true|false)$/)(stdout, kept),
        ...someLines('true', 'false')(stdout, kept),
      ],
      eventually: true,
    },
    { line: 'delete sbs demo my-sandbox-pool', expect: everyLine(2, /^sandboxset\.agents\.kruise\.io "\S+" deleted/) },
    {
      line: 'get sandboxes -o jsonpath=\'{range .items[*]}{.metadata.labels.agents\\.kruise\\.io/sandbox-claimed}{"\\n"}{end}\'',
      expect: 'true',
      eventually: true,
    },
  ],
};
