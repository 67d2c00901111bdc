import http from 'node:http';
const url = process.argv[2]; const N = 10000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
function call(method: string, path: string, body?: unknown, ct = 'application/json'): Promise<any> {
  return new Promise((res, rej) => { const p = body === undefined ? undefined : JSON.stringify(body);
    const r = http.request(url + path, { method, agent, headers: { ...(p ? { 'Content-Type': ct, 'Content-Length': Buffer.byteLength(p) } : {}) } }, (m) => { const c: Buffer[] = []; m.on('data', (x) => c.push(x)); m.on('end', () => res(Buffer.concat(c))); });
    r.on('error', rej); r.end(p); });
}
async function pool<T>(n: number, items: T[], f: (t: T) => Promise<unknown>) { let i = 0; await Promise.all(Array.from({ length: n }, async () => { while (i < items.length) await f(items[i++]!); })); }
const S = '/apis/agents.kruise.io/v1alpha1/namespaces/default/sandboxes', P = '/api/v1/namespaces/default/pods';
const ids = Array.from({ length: N }, (_, i) => `box-${String(i).padStart(5, '0')}`);
const spec = { containers: [{ name: 'sandbox', image: 'registry.local/code:v1', env: [{ name: 'MODE', value: 'dev' }], resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } } }], initContainers: [{ name: 'runtime', image: 'registry.local/agent-runtime:v1', restartPolicy: 'Always' }] };
let t = Date.now();
await pool(16, ids, (name) => call('POST', S, { apiVersion: 'agents.kruise.io/v1alpha1', kind: 'Sandbox', metadata: { name, labels: { 'agents.kruise.io/sandbox-pool': 'web' } }, spec: { template: { metadata: { labels: { app: 'code' } }, spec } } }));
await pool(16, ids, (name) => call('POST', P, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }));
console.log('create 20k', Date.now() - t, 'ms');
t = Date.now(); const body = await call('GET', '/apis/agents.kruise.io/v1alpha1/sandboxes'); console.log('list 10k', Date.now() - t, 'ms', body.length);
t = Date.now(); await call('GET', '/apis/agents.kruise.io/v1alpha1/sandboxes'); console.log('list 10k again', Date.now() - t, 'ms');
t = Date.now(); let c = '', pages = 0; do { const r = JSON.parse(String(await call('GET', `/apis/agents.kruise.io/v1alpha1/sandboxes?limit=500&continue=${c}`))); c = r.metadata.continue; pages++; } while (c); console.log('paged', pages, Date.now() - t, 'ms');
const rv = JSON.parse(String(body)).metadata.resourceVersion;
const lat: number[] = []; let seen = 0;
for (let w = 0; w < 5; w++) http.get(`${url}/apis/agents.kruise.io/v1alpha1/sandboxes?watch=1&resourceVersion=${rv}&allowWatchBookmarks=true`, (m) => { let rest = ''; m.setEncoding('utf8'); m.on('data', (x: string) => { const l = (rest + x).split('\n'); rest = l.pop()!; for (const s of l) { seen++; const at = /"message":"(\d+)"/.exec(s); if (at) lat.push(Date.now() - Number(at[1])); } }); });
await new Promise((r) => setTimeout(r, 300));
const start = Date.now(); let sent = 0; const pending: Promise<unknown>[] = [];
while (Date.now() - start < 10000) { const due = Math.floor((Date.now() - start) / 2); while (sent < due) { const name = ids[(sent * 37) % N]!; pending.push(call('PATCH', `${S}/${name}/status`, { status: { phase: 'Running', message: String(Date.now()), conditions: [{ type: 'Ready', status: sent % 2 ? 'True' : 'False', reason: 'PodReady', message: '', lastTransitionTime: '2026-11-29T22:40:49Z' }] } }, 'application/merge-patch+json')); sent++; } await new Promise((r) => setTimeout(r, 5)); }
await Promise.all(pending); await new Promise((r) => setTimeout(r, 500));
lat.sort((a, b) => a - b); console.log('sent', sent, 'seen', seen, 'p50', lat[lat.length >> 1], 'p99', lat[Math.floor(lat.length * .99)], 'max', lat.at(-1));
process.exit(0);
