import 'server-only';
import { type Failure, refuse } from '../services/result';

/** Room for the largest upgrade, which names 5,000 sandboxes twice; the API server itself stops at 3 MiB. */
export const maxBodyBytes = 3 * 1024 * 1024;

/** Reads a JSON body of at most `most` bytes; the text is never part of an answer or a log line. */
export async function readJson(
  request: Request,
  most = maxBodyBytes,
): Promise<{ value: unknown } | { problem: Failure }> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    return refuse('malformed', 'bodyType', {}, { status: 415, applied: 'no' });
  }
  const tooLarge = refuse('malformed', 'bodyTooLarge', { bytes: most }, { status: 413, applied: 'no' });
  if (Number(request.headers.get('content-length') ?? 0) > most) return tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > most) {
      await reader?.cancel();
      return tooLarge;
    }
    chunks.push(part.value);
  }
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return refuse('malformed', 'bodyNotJson', {}, { applied: 'no' });
  }
}
