import { createHash } from 'node:crypto';

export const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What becomes of an image on a node. */
export interface ImageRules {
  pulls(image: string): boolean;
  crashes(image: string): boolean;
  /** The name under which the status reports it. */
  reported(image: string, init: boolean): string;
}

/** `repository@digest`: what a runtime reports as imageID. */
export function imageId(image: string): string {
  const [named = '', digest] = image.split('@');
  const repository = named.lastIndexOf(':') > named.lastIndexOf('/') ? named.slice(0, named.lastIndexOf(':')) : named;
  return `${repository}@${digest ?? `sha256:${sha(image)}`}`;
}

/**
 * An init image that was pulled by digest is reported by the id of its configuration, not by the reference of the spec
 * (containerd 1.7): the reason why a resume with such an image never ends.
 */
const reported = (image: string, init: boolean): string =>
  init && image.includes('@sha256:') ? configId(image) : image;

/** The id of an image's configuration. */
export const configId = (image: string): string => `sha256:${sha(`config of ${image}`)}`;

/** What the simulated nodes of the recordings do: `bad` in a name cannot be pulled, `crash` exits. */
export const byName: ImageRules = {
  pulls: (image) => !image.includes('bad'),
  crashes: (image) => image.includes('crash'),
  reported,
};
