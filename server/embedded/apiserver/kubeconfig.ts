import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PEOPLE, type Person, TENANT_NAMESPACE } from './auth/people';
import type { ApiServer } from './server';

function write(file: string, cluster: object, { name, token }: Person): void {
  const namespace = name === 'tenant' ? TENANT_NAMESPACE : 'default';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'embedded', cluster }],
    users: [{ name, user: { token } }],
    contexts: [{ name: 'embedded', context: { cluster: 'embedded', user: name, namespace } }],
    'current-context': 'embedded',
  };
  // Whoever reads it meanwhile reads it whole; a file of before keeps neither its mode nor its readers.
  const whole = `${file}.${randomUUID()}`;
  writeFileSync(whole, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(whole, file);
}

/** Writes a kubeconfig of `admin`, whose only context, `embedded`, points at a server's address. */
export function writeKubeconfig(file: string, url: string): void {
  for (const person of PEOPLE) if (person.name === 'admin') write(file, { server: url }, person);
}

/**
 * Writes everybody's kubeconfig into a folder: `kubeconfig` (of `admin`), `kubeconfig-viewer`, …; returns the first.
 * `tokens` stand in for those that the people have from the start.
 */
export function writeKubeconfigs(
  folder: string,
  { port, ca }: Pick<ApiServer, 'port' | 'ca'>,
  tokens: ReadonlyMap<string, string> = new Map(),
): string {
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    'certificate-authority-data': Buffer.from(ca).toString('base64'),
  };
  const fileOf = (name: string) => path.resolve(folder, name === 'admin' ? 'kubeconfig' : `kubeconfig-${name}`);
  for (const person of PEOPLE) {
    write(fileOf(person.name), cluster, { ...person, token: tokens.get(person.name) ?? person.token });
  }
  return fileOf('admin');
}
