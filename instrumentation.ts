/** Next calls this once when a server process starts, before it answers anything. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { requireEnvironment } = await import('./server/env');
  requireEnvironment();
  const { start } = await import('./server/start');
  await start();
}
