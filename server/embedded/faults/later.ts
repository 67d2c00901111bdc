const retryMs = 2_000;

/** Does something after a while, and again a little later as long as it fails; returns the way to leave it. */
export function later(ms: number, what: string, act: () => Promise<unknown>): () => void {
  let left = false;
  const attempt = () => {
    act().catch((error: unknown) => {
      process.stderr.write(`${what}: ${error instanceof Error ? error.message : String(error)}\n`);
      if (!left) timer = setTimeout(attempt, retryMs);
    });
  };
  let timer = setTimeout(attempt, ms);
  return () => {
    left = true;
    clearTimeout(timer);
  };
}
