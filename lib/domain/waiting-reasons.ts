/** Reasons of a container that waits, as the kubelet writes them. */

const imageReasons: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);
const startReasons: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** The image does not come. */
export const isImageReason = (reason: string): boolean => imageReasons.has(reason);

/** The normal way. */
export const isStartReason = (reason: string): boolean => startReasons.has(reason);
