import { list, record, text } from '../read';
import type { GateCode } from './gates';
import { present, said, saidTime } from './rule';
import { comparedImages } from './rules/images';
import { type SandboxScene, saidCondition } from './scene';
import type { Evidence } from './verdict';

/** What a gate that is passed was judged by: the value first, then the time, where the objects say them. */
export function passedEvidence(scene: SandboxScene, gate: GateCode): Evidence[] {
  const { pod } = scene;
  switch (gate) {
    case 'PauseFinished':
      return present(saidCondition(scene, 'SandboxPaused'));
    case 'OldPodGone':
      return present([said('Sandbox status.podInfo.podUID', formerPod(scene))]);
    case 'PodExists':
      return present([said('Pod metadata.uid', pod?.uid), saidTime('Pod metadata.creationTimestamp', pod?.created)]);
    case 'Scheduled':
      return present([
        said('Pod spec.nodeName', pod?.node),
        saidTime('Pod status.conditions[PodScheduled].lastTransitionTime', pod?.scheduledAt),
      ]);
    case 'ContainersStart':
      return present([said('counted: containers with an image', pulled(scene))]);
    case 'PodRunning':
      return present([
        said('Pod status.phase', pod?.phase),
        saidTime('Pod status.containerStatuses[].state.running.startedAt', pod?.startedAt),
      ]);
    case 'InitImages':
      return present([said('Pod status.initContainerStatuses[].image', equalImages(scene))]);
    case 'PodReady':
      return present([said('Pod status.conditions[Ready].status', pod?.ready ? 'True' : undefined)]);
    default:
      return [];
  }
}

/** The one that the status still names when that is not the one there is (domain 1.2: podInfo is not cleared). */
function formerPod({ pod, more }: SandboxScene): string | undefined {
  const uid = text(record(record(more?.sandbox.status).podInfo).podUID);
  return uid === pod?.uid ? undefined : uid;
}

/** `2/2`: containers, init ones included, of which the node reports an image id. */
function pulled({ more }: SandboxScene): string | undefined {
  const { spec, status } = record(more?.pod);
  const statuses = [...list(record(status).initContainerStatuses), ...list(record(status).containerStatuses)];
  const total = list(record(spec).initContainers).length + list(record(spec).containers).length;
  const here = statuses.filter((each) => text(record(each).imageID)).length;
  return here === 0 ? undefined : `${here}/${total}`;
}

const equalImages = ({ more }: SandboxScene): string | undefined =>
  comparedImages(more?.pod)
    .filter(({ equal }) => equal)
    .map(({ name }) => name)
    .join(', ') || undefined;
