import { say } from './report.mjs';

/** A refused connection may be a server that is just starting; one that is silent may be slow. */
const patienceMs = { refused: 2_000, silent: 6_000 };

const answered = new Set(['live', 'missing', 'forbidden']);

/** What the console knows: whether the API server has answered for any kind, and else why not. */
async function contact(url) {
  const answer = await fetch(`${url}/api/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  const { kinds = {}, reason } = (await answer?.json().catch(() => undefined)) ?? {};
  return { connected: Object.values(kinds).some((state) => answered.has(state)), reason };
}

/**
 * Follows the console until its cluster has answered. One that does not is no reason to end, but must not go unsaid.
 * @param {string} url of the console
 * @param {{ server: string | undefined, context: string, kubeconfig: string }} cluster
 */
export async function followFirstContact(url, { server, context, kubeconfig }) {
  const name = `${server} (context ${context})`;
  const begun = Date.now();
  let warned = false;
  for (;;) {
    const { connected, reason } = await contact(url);
    if (connected) break;
    const waited = Date.now() - begun;
    if (!warned && waited >= (reason === undefined ? patienceMs.silent : patienceMs.refused)) {
      warned = true;
      const why = reason ?? `no answer for ${Math.round(waited / 1000)} s`;
      say(`Warning: the API server ${name} cannot be used: ${why}`);
      say(`  Check it: kubectl --kubeconfig ${kubeconfig} --context ${context} version`);
      say('  The console keeps trying, and says here when it is connected.');
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  if (warned) say(`Connected to ${name}.`);
}
