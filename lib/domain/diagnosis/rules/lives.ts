import { isTrue } from '../../facts';
import { quote } from '../../kubectl';
import { integer, list, record, text } from '../../read';
import { parseTime } from '../../time';
import { type Rule, said, saidTime } from '../rule';
import { condition, isDead, type SandboxScene } from '../scene';
import { deleteSandbox, step, wait } from '../steps';

const shutdownAt = ({ more }: SandboxScene): number | undefined =>
  more && parseTime(record(more.sandbox.spec).shutdownTime);

/** Nothing acts on a sandbox that has ended: not its shutdownTime, not a DELETE through the E2B interface (T27). */
export const notCleanedUp: Rule<SandboxScene> = {
  code: 'NotCleanedUp',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) =>
    scene.more !== undefined && isDead(scene) && !scene.facts.idle && scene.facts.deleting === undefined,
  evidence: (scene) => [
    said('Sandbox status.phase', scene.facts.phase),
    saidTime('Sandbox spec.shutdownTime', shutdownAt(scene)),
  ],
  steps: ({ more }) => (more ? [deleteSandbox(more)] : []),
  useless: () => [step('ExtendShutdown')],
};

/** The condition stays True, and metrics count it as ready (T54). */
export const readyThoughDead: Rule<SandboxScene> = {
  code: 'ReadyThoughDead',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) => scene.more !== undefined && isDead(scene) && isTrue(condition(scene, 'Ready')),
  evidence: ({ facts }) => [
    said('Sandbox status.phase', facts.phase),
    said('Sandbox status.conditions[Ready].status', 'True'),
  ],
  steps: () => [],
};

const kept = ({ more }: SandboxScene): string[] => {
  const spec = record(more?.sandbox.spec);
  const contents = list(spec.persistentContents).filter((each) => each === 'memory' || each === 'filesystem');
  const hibernate = text(record(spec.pauseStrategy).type) === 'Hibernate' ? ['Hibernate'] : [];
  return [...hibernate, ...contents.map(String)];
};

/** Asked to keep memory or files; the open-source controller stops the Pod all the same (T28). */
export const pauseLosesMore: Rule<SandboxScene> = {
  code: 'PauseLosesMore',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) => kept(scene).length > 0 && condition(scene, 'SandboxPaused')?.reason === 'StopPauseSucceed',
  evidence: (scene) => [
    said('Sandbox spec.pauseStrategy, spec.persistentContents', kept(scene).join(', ')),
    said('Sandbox status.conditions[SandboxPaused].reason', 'StopPauseSucceed'),
  ],
  steps: () => [step('KeepOutside')],
};

/** The container is not reset unless a recycler of a vendor does it (T33). */
export const notReset: Rule<SandboxScene> = {
  code: 'NotReset',
  kind: 'hint',
  confidence: 'likely',
  applies: ({ more }) => (integer(record(more?.sandbox.status).recycledCount) ?? 0) > 0,
  evidence: ({ more }) => [said('Sandbox status.recycledCount', integer(record(more?.sandbox.status).recycledCount))],
  steps: ({ more }) => (more ? [deleteSandbox(more)] : []),
};

const hashKey = 'agents.kruise.io/template-hash';

/** Taken during a rollout from a member of an old revision; the label is never updated, an upgrade since then shows in the condition (T38). */
export const outdatedClaimed: Rule<SandboxScene> = {
  code: 'OutdatedClaimed',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) => {
    const { facts, more } = scene;
    const hash = more?.sandbox.metadata.labels?.[hashKey];
    const revision = more?.pool?.revision;
    return facts.claimed && hash !== undefined && revision !== undefined && hash !== revision && !upgraded(scene);
  },
  evidence: ({ more }) => [
    said(`Sandbox metadata.labels[${hashKey}]`, more?.sandbox.metadata.labels?.[hashKey]),
    said('SandboxSet status.updateRevision', more?.pool?.revision),
  ],
  steps: () => [step('UpgradeClaimed')],
};

const upgraded = (scene: SandboxScene): boolean => isTrue(condition(scene, 'Upgrading'));

/** A drain deletes the Pod, and that ends a claimed sandbox (T26, T25). */
export const nodeCordoned: Rule<SandboxScene> = {
  code: 'NodeCordoned',
  kind: 'hint',
  confidence: 'certain',
  applies: ({ facts, node, pod }) =>
    node?.cordoned === true && facts.phase === 'Running' && pod?.deleting === undefined,
  evidence: ({ node }) => [said(`Node ${node?.name} spec.unschedulable`, node?.cordoned)],
  steps: ({ node }) => [
    step('MoveSession'),
    step('Uncordon', {
      values: { node: node?.name ?? '' },
      kubectl: node ? [`kubectl uncordon ${quote(node.name)}`] : [],
    }),
  ],
};

/** How long the controller is given to delete what has expired. */
const deletesWithinMs = 30_000;

/** Expired, and still there: a failed one is never deleted (T27), of the others the controller is late. */
export const pastShutdown: Rule<SandboxScene> = {
  code: 'PastShutdown',
  kind: 'hint',
  confidence: 'certain',
  applies: (scene) => {
    const at = shutdownAt(scene);
    if (at === undefined || !scene.more || isDead(scene) || scene.facts.deleting !== undefined) return false;
    // One that had expired before it was made is deleted once it is seen.
    return scene.more.now - Math.max(at, scene.facts.created ?? at) > deletesWithinMs;
  },
  evidence: (scene) => [saidTime('Sandbox spec.shutdownTime', shutdownAt(scene))],
  steps: ({ more }) => (more ? [wait(), deleteSandbox(more)] : []),
};

/** Said to be ready, and the status names no Pod: nobody can reach it. */
export const noPodInfo: Rule<SandboxScene> = {
  code: 'NoPodInfo',
  kind: 'hint',
  confidence: 'likely',
  applies: ({ state, pod, more }) => {
    if (!more || pod || (state !== 'Available' && state !== 'Running')) return false;
    const { podInfo, nodeName } = record(more.sandbox.status);
    return text(record(podInfo).podUID) === undefined && text(nodeName) === undefined;
  },
  evidence: () => [
    said('Sandbox status.conditions[Ready].status', 'True'),
    said('Sandbox status.podInfo', 'none'),
    said('Sandbox status.nodeName', 'none'),
  ],
  steps: ({ more }) => (more ? [deleteSandbox(more)] : []),
};
