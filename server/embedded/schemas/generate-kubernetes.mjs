#!/usr/bin/env node
/**
 * Reads OpenAPI v3 documents of kube-apiserver and writes the schemas of some kinds, and of what is inside them, without prose
 * as JSON, sorted by name.
 *
 *     kubectl get --raw /openapi/v3/api/v1 >DIR/core.json            (and so on, one file for each group version)
 *     node server/embedded/schemas/generate-kubernetes.mjs DIR KIND…
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [dir, ...kinds] = process.argv.slice(2);
if (!dir || kinds.length === 0) {
  console.error('usage: node server/embedded/schemas/generate-kubernetes.mjs DIR KIND…');
  process.exit(1);
}

/** A description is prose where it is a string; a field named "description" is an object and stays. */
function withoutProse(value) {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, child]) => !(key === 'description' && typeof child === 'string'))
      .map(([key, child]) => [key, withoutProse(child)]),
  );
}

const all = new Map();
for (const file of readdirSync(dir)) {
  const { components } = JSON.parse(readFileSync(path.join(dir, file), 'utf8'));
  for (const [name, schema] of Object.entries(components.schemas)) all.set(name, schema);
}

const kept = new Map();
const keep = (name) => {
  if (kept.has(name)) return;
  const { 'x-kubernetes-group-version-kind': own, ...schema } = withoutProse(all.get(name));
  // Options of deletes belong to every group there is; only kinds are found by what they are.
  const isKind = kinds.includes(own?.[0]?.kind) && own.length === 1;
  kept.set(name, isKind ? { ...schema, 'x-kubernetes-group-version-kind': own } : schema);
  for (const [, inner] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) keep(inner);
};
for (const [name, schema] of all) {
  const own = schema['x-kubernetes-group-version-kind'];
  if (own?.length === 1 && kinds.includes(own[0].kind)) keep(name);
}

const target = path.join(import.meta.dirname, 'kubernetes.json');
const sorted = [...kept].sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(target, `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`);
console.error(`${kept.size} schemas written to ${target}`);
