#!/usr/bin/env node
/**
 * Reads CustomResourceDefinition YAML and writes the definitions without prose as JSON, sorted by plural.
 *
 *     node server/embedded/schemas/generate.mjs <dir of CRD yaml>
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const dir = process.argv[2];
if (!dir) {
  console.error('usage: node server/embedded/schemas/generate.mjs <dir of CRD yaml>');
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

const definitions = readdirSync(dir)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => parse(readFileSync(path.join(dir, file), 'utf8')))
  .map((crd) => ({
    apiVersion: crd.apiVersion,
    kind: crd.kind,
    metadata: { name: crd.metadata.name },
    spec: withoutProse(crd.spec),
  }))
  .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));

const target = path.join(import.meta.dirname, 'agents.kruise.io.json');
writeFileSync(target, `${JSON.stringify(definitions, null, 1)}\n`);
console.error(`${definitions.length} definitions written to ${target}`);
