import 'server-only';
import type { RowKind } from '@/lib/contracts/rows';
import type { StreamMessage } from '@/lib/contracts/stream';

type Delta = Extract<StreamMessage, { type: 'delta' }>;
/** Rows come out of the store typed; collecting them by kind loses only the link between the two. */
type LooseDelta = Omit<Delta, 'upserts' | 'removes'> & {
  upserts: Partial<Record<RowKind, unknown[]>>;
  removes: Partial<Record<RowKind, string[]>>;
};

const encoder = new TextEncoder();

/** One server-sent event. Its id is the cursor, so that a browser that reconnects says where it was. */
export function encodeMessage(message: Exclude<StreamMessage, Delta> | LooseDelta): Uint8Array {
  const id = 'cursor' in message ? `id: ${message.cursor}\n` : '';
  return encoder.encode(`${id}data: ${JSON.stringify(message)}\n\n`);
}
