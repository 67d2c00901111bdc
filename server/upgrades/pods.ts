import 'server-only';
import type { PodDigest } from '@/lib/domain/facts';
import { sandboxStage } from '@/lib/domain/upgrades/stages';
import type { Adoption } from '../history/adoptions';
import { ownPod, type SandboxSeen } from '../kube/sandboxes';

/**
 * Takes into the adoption what an event shows of the sandbox's Pods: the one that is replaced and the one that comes.
 * Times only of what was seen as it happened. A Pod that comes when the sandbox is done, as after a pause, is none of the upgrade's.
 * @returns whether anything is new
 */
export function followPods(
  adoption: Pick<Adoption, 'before' | 'after' | 'pods' | 'record'>,
  seen: SandboxSeen,
  now: number,
): boolean {
  const { pods } = adoption;
  const was = JSON.stringify(pods);
  // The record is of the event before this one.
  const isOver = adoption.record !== undefined && sandboxStage(adoption.record.row).stage === 'Done';
  const [last, pod] = [seen.before, seen.after].map((each) => each && ownPod(each));
  const isPatched = adoption.before?.hash !== adoption.after?.hash;
  if (!pods.before && !pods.after) {
    // A paused sandbox gets a Pod of the old template first.
    const old =
      last && last.uid !== pod?.uid ? last : adoption.before && !isPatched ? pod : isPatched ? last : undefined;
    if (old) pods.before = shown(old);
  }
  if (pod && pod.uid === pods.before?.uid) pods.before = { ...pods.before, ...shown(pod) };
  else if (pod && (pods.before || isPatched) && !(isOver && pod.uid !== pods.after?.uid)) {
    const since = pod.uid === pods.after?.uid ? pods.after.since : (pod.created ?? (seen.live ? now : undefined));
    pods.after = { ...shown(pod), ...(since === undefined ? {} : { since }) };
  }
  if (
    pods.before &&
    pods.before.gone === undefined &&
    seen.live &&
    last?.uid === pods.before.uid &&
    pod?.uid !== last.uid
  ) {
    pods.before = { ...pods.before, gone: now };
  }
  return JSON.stringify(pods) !== was;
}

const shown = ({ uid, node }: PodDigest) => ({ uid, ...(node === undefined ? {} : { node }) });
