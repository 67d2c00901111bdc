import type { KubeObject } from '@/lib/contracts/objects';
import type { Loss } from './diagnosis/steps';
import { compareImages, imageFault, isDigestPinned, parseImageReference } from './images';
import { readSandbox } from './object-readings';
import { list, record, text } from './read';

export interface Survival {
  lost: Loss[];
  /** Its volumes: names of spec.volumeClaimTemplates. */
  volumes: string[];
  /** What it asks a pause to keep and the open-source controller does not (domain 1.2, T28): `Hibernate`, `memory`, … */
  askedInVain: string[];
}

/** What a pause, or a new Pod in place of the old one, takes away, and what stays. */
export function survivalOf(sandbox: KubeObject): Survival {
  const { pauseStrategy, persistentContents } = readSandbox(sandbox);
  return {
    lost: ['memory', 'rootFileSystem', 'address'],
    volumes: list(record(sandbox.spec).volumeClaimTemplates).flatMap(
      (claim) => text(record(record(claim).metadata).name) ?? [],
    ),
    askedInVain: [...(pauseStrategy === 'Hibernate' ? [pauseStrategy] : []), ...persistentContents],
  };
}

/** A container of the sandbox's own template. */
export interface TemplateImage {
  container: string;
  init: boolean;
  image: string;
}

/** Of spec.template: init containers first, in the template's order. */
export function templateImages(sandbox: KubeObject): TemplateImage[] {
  const spec = record(record(record(sandbox.spec).template).spec);
  return [true, false].flatMap((init) =>
    list(init ? spec.initContainers : spec.containers).flatMap((entry) => {
      const container = text(record(entry).name);
      return container === undefined ? [] : [{ container, init, image: text(record(entry).image) ?? '' }];
    }),
  );
}

/** Init containers of a Pod that hold the image check for ever, with the name that is asked for (domain 4.5). */
function heldForEver(pod: KubeObject): { container: string; image: string }[] {
  const statuses = list(record(pod.status).initContainerStatuses).map(record);
  return list(record(pod.spec).initContainers).flatMap((entry) => {
    const container = text(record(entry).name) ?? '';
    const image = text(record(entry).image) ?? '';
    const reported = text(statuses.find((each) => each.name === container)?.image);
    return reported !== undefined && compareImages(image, reported).never ? [{ container, image }] : [];
  });
}

/**
 * Can a new Pod help? `same`: it is made from the same template and hangs at the same comparison; `injected`: the name stands
 * in the ConfigMap of the controller, which is not read here; `fixed`: the template has another name by now.
 */
export type PodHelp = 'same' | 'injected' | 'fixed' | 'unknown';

export function podHelpOf(sandbox: KubeObject, pod: KubeObject | undefined): PodHelp {
  const held = pod ? heldForEver(pod) : [];
  if (held.length === 0) return 'unknown';
  const asked = templateImages(sandbox).filter(({ init }) => init);
  const helps = held.map(({ container, image }): PodHelp => {
    const now = asked.find((each) => each.container === container)?.image;
    if (now === undefined) return 'injected';
    return now === image || isDigestPinned(now) ? 'same' : 'fixed';
  });
  return helps.find((help) => help === 'same') ?? helps.find((help) => help === 'injected') ?? 'fixed';
}

/** What to put in the place of an image that is pinned by digest: its own tag, or its name with the tag to be typed. */
export function withTag(image: string): string {
  const at = image.indexOf('@');
  if (at < 0) return image;
  const name = image.slice(0, at);
  return parseImageReference(name)?.added.includes('tag') ? `${name}:` : name;
}

export interface ImageEdit extends TemplateImage {
  to: string;
}

/** Containers with what a person probably wants: by a tag where the digest is what holds, or may hold, the sandbox. */
export function suggestedImages(sandbox: KubeObject, pod: KubeObject | undefined): ImageEdit[] {
  const held = new Set((pod ? heldForEver(pod) : []).map(({ container }) => container));
  return templateImages(sandbox).map((each) => ({
    ...each,
    to: each.init && (held.has(each.container) || isDigestPinned(each.image)) ? withTag(each.image) : each.image,
  }));
}

/** Edits that would be sent: named differently, and by a name that something can be pulled by. */
export const changedImages = (edits: readonly ImageEdit[]): ImageEdit[] =>
  edits.filter(({ image, to }) => to.trim() !== image);
export const faultOf = ({ to }: ImageEdit) => imageFault(to.trim());
