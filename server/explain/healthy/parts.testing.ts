export const prefix = 'agents.kruise.io/';
export const ns = 'agents';
export const image = 'reg/code:v1';
export const runtime = { name: 'agent-runtime', image: 'reg/agent-runtime:v1' };

export type Fields = Record<string, unknown>;

export interface Box {
  name: string;
  uid: string;
  generation: number;
  created: number;
  idle: boolean;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  finalizers: string[];
  spec: Fields;
  status: Fields & { conditions: Record<string, Fields> };
  deleting?: number;
}

/** A seeded source of numbers from 0 to 1 (xorshift). */
export function randomFrom(seed: number): () => number {
  let x = seed * 2_654_435_761 || 1;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 2 ** 32;
  };
}
