import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { kubectlDescribe, kubectlGet, kubectlJsonPatch, kubectlScale, kubectlVersion, quote } from './kubectl';

it('scales with the number that was seen', () => {
  expect(kubectlScale('agents', 'web', 3, 12)).toBe(
    'kubectl -n agents scale sbs/web --current-replicas=3 --replicas=12',
  );
});

it('quotes a patch so that a shell hands it over unchanged', () => {
  const patch = [{ op: 'replace' as const, path: '/spec/x', value: `it's "$HOME" \`id\` \\ ${'\n'}!` }];
  const line = kubectlJsonPatch('agents', 'sandboxsets', 'web', patch);
  expect(line).toMatch(/^kubectl -n agents patch sandboxsets\/web --type=json -p '/);
  const seen = execFileSync('sh', ['-c', `kubectl() { printf %s "$7"; }; ${line}`], { encoding: 'utf8' });
  expect(JSON.parse(seen)).toEqual(patch);
});

it('reads objects', () => {
  expect(kubectlGet('agents', 'sandboxes', 'web-1', 'yaml')).toBe('kubectl -n agents get sandboxes/web-1 -o yaml');
  expect(kubectlGet(undefined, 'nodes')).toBe('kubectl get nodes');
  expect(kubectlDescribe('agents', 'sandboxes', 'web-1')).toBe('kubectl -n agents describe sandboxes/web-1');
});

it.each(['; rm -rf /', '$(id)', "a'b", 'a b', '', '*', '~'])('%j cannot break out', (text) => {
  expect(execFileSync('sh', ['-c', `printf %s ${quote(text)}`], { encoding: 'utf8' })).toBe(text);
});

it('asking for the version names the context, when there is one', () => {
  expect(kubectlVersion('my staging')).toBe("kubectl --context 'my staging' version");
  expect(kubectlVersion(undefined)).toBe('kubectl version');
});
