import type { SandboxRow } from '@/lib/contracts/rows';
import type { PodDigest } from '../facts';
import { compareImages, isDigestPinned } from '../images';
import { flag, imagesOf, record } from '../read';

/** An init container as a Pod template names it. */
export interface InitImage {
  name: string;
  image: string;
}

/** Init containers of a Pod template: of `spec.template` of a Sandbox, a SandboxSet or a SandboxTemplate; undefined when there is none. */
export function templateInits(object: unknown): InitImage[] | undefined {
  const { template } = record(record(object).spec);
  return template === undefined || template === null
    ? undefined
    : imagesOf(record(record(template).spec).initContainers);
}

export const pinnedNames = (inits: readonly InitImage[]): string[] =>
  inits.filter(({ image }) => isDigestPinned(image)).map(({ name }) => name);

/** What a Pod tells of its init images, which counts beyond its life: names of containers. */
export interface PodImages {
  pinned: readonly string[];
  /** Reported under a name that never equals the one that is asked for. */
  unequal: readonly string[];
}

/** Undefined when nothing speaks against them. */
export function podImages({ pinned = [], initImages = [] }: Pick<PodDigest, 'pinned' | 'initImages'>) {
  const unequal = initImages.flatMap(({ container, spec, status }) =>
    status !== undefined && compareImages(spec, status).never ? [container] : [],
  );
  return pinned.length + unequal.length > 0 ? ({ pinned, unequal } satisfies PodImages) : undefined;
}

/** From what the next Pod of a sandbox is made, as far as it is known. */
export interface NextPod {
  /** Init containers of its own template, and of the SandboxTemplate that stands in for one (spec.templateRef). */
  own: readonly InitImage[] | undefined;
  referenced: readonly InitImage[] | undefined;
  /** Its Pod, or the last that it had: the only one to tell of what the controller injects (domain 4.10). */
  pod: PodImages | undefined;
}

/** A container of the template is as the template says now; of an injected one, what its last Pod had is the nearest there is. */
function unlessChanged({ own, referenced }: NextPod, names: readonly string[]): string[] {
  const template = own ?? referenced ?? [];
  return names.filter((name) => {
    const named = template.find((each) => each.name === name);
    return named === undefined || isDigestPinned(named.image);
  });
}

/** Containers of the next Pod whose image is pinned by digest. */
export function pinnedNext(next: NextPod): string[] {
  const { own, referenced, pod } = next;
  return [...new Set([...pinnedNames(own ?? referenced ?? []), ...unlessChanged(next, pod?.pinned ?? [])])];
}

/** Containers of the next Pod whose image its last one was reported to have under a name that never equals its own. */
export const unequalNext = (next: NextPod): string[] => unlessChanged(next, next.pod?.unequal ?? []);

/** Who names the image of a container; undefined where its own template does. A SandboxTemplate that is not known may well name it. */
export function imageFrom({ own, referenced }: NextPod, name: string): SandboxRow['imageFrom'] {
  const isIn = (inits: readonly InitImage[]) => inits.some((each) => each.name === name);
  if (own) return isIn(own) ? undefined : 'injection';
  return referenced && !isIn(referenced) ? 'injection' : 'SandboxTemplate';
}

/** What a row says of the images of the next Pod. `strands`: those of a Pod that runs. */
export function nextPodFacts(next: NextPod, asleep: boolean, strands: boolean) {
  const pinned = pinnedNext(next);
  const unequal = asleep ? unequalNext(next) : (next.pod?.unequal ?? []);
  const named = unequal[0] ?? pinned[0];
  return {
    strands: flag(strands || (asleep && unequal.length > 0)),
    pinned: flag(pinned.length > 0),
    imageFrom: named === undefined ? undefined : imageFrom(next, named),
  };
}
