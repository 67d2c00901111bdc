import 'server-only';

/** Begins when what the key is busy with has ended, well or not. `busy` holds the last one of each key. */
export async function inTurn<T>(busy: Map<string, Promise<unknown>>, key: string, work: () => Promise<T>): Promise<T> {
  const done = (busy.get(key) ?? Promise.resolve()).then(work, work);
  busy.set(key, done);
  try {
    return await done;
  } finally {
    if (busy.get(key) === done) busy.delete(key);
  }
}
