import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { KindDefinition } from '../core/kind-definition';
import { KindRegistry } from '../core/kind-registry';
import { fieldsOf, type KubeObject, listOf } from '../core/objects';
import { Storage } from '../core/storage';
import { serveDefinitions } from '../custom/definitions';
import { BUILT_IN_KINDS } from '../kinds/built-in-kinds';
import { seed } from '../kinds/seed';
import { humanDuration } from './durations';
import { tableOf } from './table';

const fixture = (name: string) => JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8'));

const storage = new Storage();
seed(storage, true);
const registry = new KindRegistry(storage, BUILT_IN_KINDS);
serveDefinitions(storage, registry);
const kinds = registry.all();

function kindNamed(word: string): KindDefinition {
  const found = kinds.find(({ plural, shortNames }) => plural === word || shortNames.includes(word));
  if (found === undefined) throw new Error(`no kind ${word}`);
  return found;
}

const NOW = Date.parse('2026-11-29T22:36:23Z');

const cellsOf = (kind: KindDefinition, object: KubeObject) => tableOf(kind, [object], {}, 'None', NOW).rows[0]?.cells;

describe('columns', () => {
  for (const [word, recorded] of Object.entries(fixture('table-columns.json'))) {
    it(`of ${word} are those recorded`, () => {
      const { columnDefinitions } = tableOf(kindNamed(word), [], {}, 'None');
      expect(columnDefinitions.map(({ name, type, format, priority }) => [name, type, format, priority])).toEqual(
        recorded,
      );
    });
  }
});

describe('cells', () => {
  it('of sandboxes are those recorded', () => {
    const table = fixture('sbx-includeObject.table.json');
    for (const row of listOf(table, 'rows')) {
      const object = fieldsOf(row, 'object') as KubeObject;
      expect(cellsOf(kindNamed('sbx'), object)).toEqual(fieldsOf({ row }, 'row').cells);
    }
  });

  const meta = { name: 'x', uid: '', resourceVersion: '', creationTimestamp: '2026-11-29T22:36:02Z' };
  const pod = (rest: object, metadata: object = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...meta, ...metadata },
    spec: { containers: [{ name: 'sandbox' }], initContainers: [{ name: 'runtime', restartPolicy: 'Always' }] },
    ...rest,
  });
  const runtime = { name: 'runtime', ready: true, started: true, restartCount: 0, state: { running: {} } };
  const initialized = [{ type: 'Initialized', status: 'True' }];

  it('of a pod whose image cannot be pulled name the reason', () => {
    const waiting = {
      name: 'sandbox',
      ready: false,
      restartCount: 0,
      state: { waiting: { reason: 'ImagePullBackOff' } },
    };
    const status = {
      phase: 'Pending',
      podIP: '127.10.0.26',
      conditions: initialized,
      containerStatuses: [waiting],
      initContainerStatuses: [runtime],
    };
    expect(cellsOf(kindNamed('pods'), pod({ status }))).toEqual([
      'x',
      '1/2',
      'ImagePullBackOff',
      '0',
      '21s',
      '127.10.0.26',
      '<none>',
      '<none>',
      '<none>',
    ]);
  });

  it('of a pod that initializes count its containers', () => {
    const status = {
      phase: 'Pending',
      initContainerStatuses: [
        { ...runtime, started: false, ready: false, state: { waiting: { reason: 'PodInitializing' } } },
      ],
    };
    expect(cellsOf(kindNamed('pods'), pod({ status }))?.slice(0, 3)).toEqual(['x', '0/2', 'Init:0/1']);
  });

  it('of a pod that crashed and is being deleted say how often and Terminating', () => {
    const sandbox = {
      name: 'sandbox',
      ready: true,
      restartCount: 2,
      state: { running: {} },
      lastState: { terminated: { finishedAt: '2026-11-29T22:36:13Z' } },
    };
    const status = {
      phase: 'Running',
      conditions: initialized,
      containerStatuses: [sandbox],
      initContainerStatuses: [runtime],
    };
    expect(cellsOf(kindNamed('pods'), pod({ status }))?.slice(1, 4)).toEqual(['2/2', 'Running', '2 (10s ago)']);
    const deleted = pod({ status }, { deletionTimestamp: '2026-11-29T22:36:20Z' });
    expect(cellsOf(kindNamed('pods'), deleted)?.[2]).toBe('Terminating');
  });

  it('of an event of the scheduler take its time and reporter', () => {
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: meta,
      type: 'Normal',
      reason: 'Scheduled',
      involvedObject: { kind: 'Pod', name: 'web-1' },
      message: 'assigned',
      eventTime: '2026-11-29T22:36:04.000000Z',
      reportingComponent: 'default-scheduler',
      reportingInstance: 'default-scheduler-vm',
      source: {},
    };
    expect(cellsOf(kindNamed('events'), event)).toEqual([
      '19s',
      'Normal',
      'Scheduled',
      'pod/web-1',
      '',
      'default-scheduler, default-scheduler-vm',
      'assigned',
      '19s',
      1,
      'x',
    ]);
  });
});

describe('ages', () => {
  it('get coarser the longer they are', () => {
    const at = (seconds: number) => humanDuration(seconds * 1_000);
    expect(
      [-5, -1, 0, 119, 120, 187, 600, 3 * 3_600, 7 * 3_600 + 60, 8 * 3_600, 48 * 3_600, 8 * 86_400, 800 * 86_400].map(
        at,
      ),
    ).toEqual(['<invalid>', '0s', '0s', '119s', '2m', '3m7s', '10m', '3h', '7h1m', '8h', '2d', '8d', '2y70d']);
  });
});
