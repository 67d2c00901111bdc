import 'server-only';

/** Does something for each, at most so many at a time; the first failure ends it, when what is under way is done. */
export async function inParallel<T>(
  atOnce: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const next = items[Symbol.iterator]();
  let failed: { error: unknown } | undefined;
  const worker = async () => {
    for (let item = next.next(); !item.done && !failed; item = next.next()) {
      try {
        await work(item.value);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failed) throw failed.error;
}
