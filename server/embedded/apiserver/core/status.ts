import type { Cause } from './causes';
import type { KindDefinition } from './kind-definition';

interface Details {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: { reason?: string; message: string; field?: string }[];
  retryAfterSeconds?: number;
}

/** What is said about an object: the group, the plural and the kind it belongs to. */
export type Subject = Pick<KindDefinition, 'group' | 'plural' | 'kind'>;

/** An answer other than success, in the words of kube-apiserver 1.35. */
export class StatusError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly reason?: string,
    readonly details?: Details,
  ) {
    super(message);
  }

  /** The body: a meta/v1 Status. */
  body(): object {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason === undefined ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

const qualified = (group: string, word: string) => (group === '' ? word : `${word}.${group}`);

function detailsOf(group: string, kind: string, name: string): Details {
  return { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind };
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, message, 'BadRequest');
}

export function notFound({ group, plural }: Subject, name: string): StatusError {
  return new StatusError(
    404,
    `${qualified(group, plural)} "${name}" not found`,
    'NotFound',
    detailsOf(group, plural, name),
  );
}

export function alreadyExists({ group, plural }: Subject, name: string): StatusError {
  return new StatusError(
    409,
    `${qualified(group, plural)} "${name}" already exists`,
    'AlreadyExists',
    detailsOf(group, plural, name),
  );
}

/** `as` is the word in the message: the plural, but the Kind for delete preconditions. */
export function conflict(
  { group, plural, kind }: Subject,
  name: string,
  why: string,
  as: 'plural' | 'kind' = 'plural',
) {
  const word = as === 'plural' ? plural : kind;
  return new StatusError(
    409,
    `Operation cannot be fulfilled on ${qualified(group, word)} "${name}": ${why}`,
    'Conflict',
    detailsOf(group, word, name),
  );
}

export const STALE = 'the object has been modified; please apply your changes to the latest version and try again';

/** 422 with the causes; the message repeats a cause once only. */
export function invalid(group: string, kind: string, name: string, causes: Cause[]): StatusError {
  const texts = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))];
  const text = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new StatusError(422, `${qualified(group, kind)} "${name}" is invalid: ${text}`, 'Invalid', {
    ...detailsOf(group, kind, name),
    causes,
  });
}

/** A patch that cannot be applied; the server does not say which operation failed. */
export function rejectedPatch(): StatusError {
  return new StatusError(422, 'the server rejected our request due to an error in our request', 'Invalid', {});
}

/** A patched object that does not decode: the message repeats the whole object. */
export function undecodablePatch(object: string, why: string): StatusError {
  const message = `Invalid value: ${JSON.stringify(object)}: ${why}`;
  return new StatusError(422, ` "" is invalid: patch: ${message}`, 'Invalid', {
    causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }],
  });
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  return new StatusError(
    415,
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    'UnsupportedMediaType',
  );
}

export function notAcceptable(accepted: readonly string[]): StatusError {
  return new StatusError(406, `only the following media types are accepted: ${accepted.join(', ')}`, 'NotAcceptable');
}

export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    'the server does not allow this method on the requested resource',
    'MethodNotAllowed',
    {},
  );
}

/** The same, from the part of the server that has the custom resources. */
export function verbNotSupported({ group, plural }: Subject, verb: string): StatusError {
  const text = `${verb} is not supported on resources of kind ${JSON.stringify(qualified(group, plural))}`;
  return new StatusError(405, text, 'MethodNotAllowed', { group, kind: plural });
}

export function noSuchResource(): StatusError {
  return new StatusError(404, 'the server could not find the requested resource', 'NotFound', {});
}

export function expired(message: string): StatusError {
  return new StatusError(410, message, 'Expired');
}

export function tooLargeResourceVersion(wanted: number, current: number): StatusError {
  return new StatusError(504, `Timeout: Too large resource version: ${wanted}, current: ${current}`, 'Timeout', {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/** A refusal by an admission webhook: no reason and no details, whatever the code. */
export function deniedByWebhook(webhook: string, why: string, code = 422): StatusError {
  return new StatusError(code, `admission webhook "${webhook}" denied the request: ${why}`);
}
