import { Stop } from '../../bin/lib/report.mjs';
import { Api, ApiError } from './client/api';
import { type ApiConnection, connectKubeconfig } from './connect';

const patienceMs = 5_000;

/**
 * The cluster of a kubeconfig, once it has answered: controllers would wait for it for ever, without a word.
 * @throws Stop when the file cannot be used, or its API server does not answer in time
 */
export async function reachKubeconfig(file: string, context?: string): Promise<ApiConnection> {
  const named = context === undefined ? '' : ` --context ${context}`;
  const check = (verb: string) => `Check it: kubectl --kubeconfig ${file}${named} ${verb}`;
  let connection: ApiConnection;
  try {
    connection = connectKubeconfig(file, context);
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0]?.replace(/:$/, '') : error;
    throw new Stop(`The kubeconfig ${file} cannot be used: ${why}.`, check('config view'));
  }
  const why = await whyUnreachable(connection);
  if (why === undefined) return connection;
  throw new Stop(`The API server ${connection.baseUrl} cannot be used: ${why}.`, check('version'));
}

/** Undefined when it answers. That somebody may not see its version is an answer, too. */
async function whyUnreachable(connection: ApiConnection): Promise<string | undefined> {
  const api = new Api(connection);
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, patienceMs, `it has not answered for ${patienceMs / 1000} s`);
  });
  const asked = api.get('/version').then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError && error.code === 403 ? undefined : reasonOf(error)),
  );
  try {
    return await Promise.race([asked, silence]);
  } finally {
    clearTimeout(timer);
    api.close();
  }
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^Error: /, '').replace(/\.$/, '');
