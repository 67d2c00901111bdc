import { writeFileSync } from 'node:fs';

/** Writes a kubeconfig whose only context, `embedded`, points at a server's address. */
export function writeKubeconfig(path: string, url: string): void {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'embedded', cluster: { server: url } }],
    users: [{ name: 'embedded-admin', user: { token: 'embedded' } }],
    contexts: [{ name: 'embedded', context: { cluster: 'embedded', user: 'embedded-admin', namespace: 'default' } }],
    'current-context': 'embedded',
  };
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
}
