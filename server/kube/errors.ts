import 'server-only';
import { z } from 'zod';
import { type Problem, type ProblemCode, statusOf } from '@/lib/contracts/problem';

/** The parts of a Kubernetes Status that are read; webhooks leave out `reason` and `details`. */
export const kubeStatus = z.looseObject({
  kind: z.literal('Status'),
  message: z.string().optional(),
  reason: z.string().optional(),
  code: z.number().optional(),
  details: z
    .looseObject({
      kind: z.string().optional(),
      group: z.string().optional(),
      retryAfterSeconds: z.number().optional(),
      causes: z
        .array(
          z.looseObject({
            reason: z.string().optional(),
            message: z.string().optional(),
            field: z.string().optional(),
          }),
        )
        .optional(),
    })
    .optional(),
});
export type KubeStatus = z.infer<typeof kubeStatus>;

interface KubeErrorInit {
  cause: 'http' | 'timeout' | 'network';
  message: string;
  /** HTTP status; 0 when there was no answer. */
  status?: number;
  /** The API server said nothing: the message is the console's own. */
  wordless?: boolean;
  kubeStatus?: KubeStatus | undefined;
  retryAfterSeconds?: number | undefined;
  /** Node's code of a network error, such as ECONNREFUSED. */
  code?: string | undefined;
}

const kubeErrorMark = Symbol.for('openkruise-agents-console.KubeError');

/**
 * Whatever kept the API server from doing what was asked. `message` is its own sentence when there is one.
 * `instanceof` goes by a mark: a build holds this module once a bundle, and the errors of the cluster, which is one
 * for the whole process, come from another copy than the one that a route compares with.
 */
export class KubeError extends Error {
  static override [Symbol.hasInstance](value: unknown): value is KubeError {
    return typeof value === 'object' && value !== null && kubeErrorMark in value;
  }

  readonly [kubeErrorMark] = true;
  override readonly name = 'KubeError';
  override readonly cause: 'http' | 'timeout' | 'network';
  readonly status: number;
  readonly wordless: boolean;
  readonly kubeStatus: KubeStatus | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly code: string | undefined;

  constructor(init: KubeErrorInit) {
    super(init.message);
    this.cause = init.cause;
    this.status = init.status ?? 0;
    this.wordless = init.wordless ?? init.cause === 'timeout';
    this.kubeStatus = init.kubeStatus;
    this.retryAfterSeconds = init.retryAfterSeconds;
    this.code = init.code;
  }
}

/** An answer that is not a success, in the API server's own words. Not every answer is a Status: unknown paths are plain text. */
export function httpError(status: number, body: unknown, retryAfter?: string): KubeError {
  const parsed = kubeStatus.safeParse(body);
  const told = parsed.success ? parsed.data : undefined;
  const text = typeof body === 'string' ? body.trim().slice(0, 500) : '';
  const seconds = told?.details?.retryAfterSeconds ?? Number(retryAfter);
  const words = told?.message || text;
  return new KubeError({
    cause: 'http',
    status,
    message: words || `the API server answered ${status}`,
    wordless: !words,
    kubeStatus: told,
    retryAfterSeconds: seconds >= 0 ? seconds : undefined,
  });
}

/** The answer's version is newer than what this API server has caught up to (after a restart): forget the version. */
export function isTooLargeVersion(error: KubeError): boolean {
  return (
    error.kubeStatus?.details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge') === true ||
    /too large resource version/i.test(error.message)
  );
}

/** These never reached an API server. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The API server's certificate is not one that is trusted: the connection ends before a request is sent. */
export function isUntrusted(code = ''): boolean {
  return /^(CERT_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ERR_TLS_CERT)/.test(code);
}

function codeOf(error: KubeError): ProblemCode {
  if (error.cause === 'timeout') return 'upstream_timeout';
  if (error.cause === 'network') return 'upstream_unavailable';
  if (/failed calling webhook/.test(error.message)) return 'webhook_unreachable';
  // Webhooks refuse with 400, 403 or 422, without reason and details (domain 17).
  if (error.status < 500 && /admission webhook .* denied the request/.test(error.message)) return 'validation';
  switch (error.status) {
    case 401:
      return 'unauthenticated';
    case 403:
      return 'forbidden';
    case 404:
      return 'not_found';
    case 409:
      return 'conflict';
    case 410:
      return 'stale';
    case 413:
    case 422:
      return 'validation';
    case 429:
      return 'rate_limited';
    case 408:
    case 504:
      return 'upstream_timeout';
    // What the console sent was not understood: its own fault, not the person's.
    case 400:
    case 405:
    case 406:
    case 415:
      return 'internal';
    default:
      return 'upstream_unavailable';
  }
}

/** The API server's sentence is the one place that names verb, resource and subresource together. */
function missingRight(error: KubeError): Problem['missing'] {
  const said =
    /cannot (\S+) resource "([^"]+)" in API group "([^"]*)"(?: in the namespace "([^"]+)")?/.exec(error.message) ?? [];
  const [, verb, resource, group, namespace] = said;
  if (!verb || !resource || group === undefined) return undefined;
  return { verb, group, resource, ...(namespace ? { namespace } : {}) };
}

/** Fields come as causes of a schema refusal; a webhook writes the first one into its sentence. */
function refusedFields(error: KubeError): { field: string; message: string }[] {
  const causes = error.kubeStatus?.details?.causes ?? [];
  const [, field, message] = /denied the request: ((?:spec|metadata)[^\s:]*): (.+)/s.exec(error.message) ?? [];
  if (field && message) return [{ field, message }];
  return causes.flatMap((cause) =>
    cause.field && cause.field !== '<nil>'
      ? [{ field: cause.field, message: cause.message ?? cause.reason ?? '' }]
      : [],
  );
}

function appliedOf(error: KubeError): 'no' | 'unknown' {
  if (error.cause === 'network') return neverSent.has(error.code ?? '') || isUntrusted(error.code) ? 'no' : 'unknown';
  if (error.cause === 'timeout') return 'unknown';
  return error.status < 500 || codeOf(error) === 'webhook_unreachable' ? 'no' : 'unknown';
}

function ownReason(error: KubeError): Pick<Problem, 'reason' | 'values'> {
  if (!error.wordless) return {};
  return error.cause === 'timeout'
    ? { reason: 'apiServerSlow' }
    : { reason: 'apiServerWordless', values: { status: error.status } };
}

/**
 * What the person is told. The message stays the API server's own; for a write it also says whether it may
 * have happened: a refusal means no, silence does not say.
 */
export function toProblem(error: KubeError, { write }: { write: boolean }): Omit<Problem, 'requestId'> {
  const code = codeOf(error);
  const fields = refusedFields(error);
  const missing = code === 'forbidden' ? missingRight(error) : undefined;
  return {
    code,
    status: statusOf[code],
    message: error.message,
    ...ownReason(error),
    ...(code === 'validation' && fields.length > 0 ? { fields } : {}),
    ...(missing ? { missing } : {}),
    ...(write ? { applied: appliedOf(error) } : {}),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  };
}
