import { type RowsReply, rowsReply, type StreamMessage, streamMessage } from '@/lib/contracts/stream';
import { readJson } from '@/lib/read-json';
import type { LiveEnvironment } from './environment';

const listTimeoutMs = 30_000;

/** One list of the scope. @throws {RequestError} */
export function readRows(
  environment: Pick<LiveEnvironment, 'fetch'>,
  url: string,
  signal: AbortSignal,
): Promise<RowsReply> {
  return readJson(rowsReply, url, { signal }, () =>
    environment.fetch(url, AbortSignal.any([signal, AbortSignal.timeout(listTimeoutMs)])),
  );
}

/** Undefined for what this tab does not understand. */
export function readMessage(data: string): StreamMessage | undefined {
  try {
    return streamMessage.parse(JSON.parse(data));
  } catch {
    return undefined;
  }
}
