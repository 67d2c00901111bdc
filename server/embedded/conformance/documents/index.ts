import type { ApiConnection } from '../../controllers/connect';
import { startRecordingCluster } from '../recordings/cluster';
import type { Report } from '../result';
import { type KubectlCluster, withKubectl } from '../with-kubectl';
import { fieldReport } from './field-report';
import { type KubectlTarget, kubectl } from './kubectl';
import { type Transcript, typeTranscript } from './transcript';
import { upgrade } from './upgrade';
import { warmPool } from './warm-pool';

export const transcripts: readonly Transcript[] = [warmPool, upgrade, fieldReport];

export interface DocumentOptions {
  cluster: KubectlCluster;
  webhooks: boolean;
}

/**
 * Types what the user documents show at kubectl, with the kubectl of this machine, on a cluster with the embedded controllers and
 * nodes; each document in a namespace of its own, which is gone in the end.
 */
export async function runDocuments(
  connection: ApiConnection,
  { cluster, webhooks }: DocumentOptions,
  report: Report,
): Promise<void> {
  const typed = await withKubectl(cluster, async (target) => {
    const controllers = await startRecordingCluster(connection, { controlPlane: 'port' in cluster });
    try {
      for (const transcript of transcripts) await inNamespace(target, transcript, webhooks, report);
    } finally {
      await controllers.close();
    }
  });
  if (typed) return;
  for (const { name } of transcripts) {
    const details = ['There is no kubectl on the PATH.'];
    report({ suite: 'documents', group: name, name: 'all commands', outcome: 'skipped', details });
  }
}

async function inNamespace(target: KubectlTarget, transcript: Transcript, webhooks: boolean, report: Report) {
  const namespace = `doc-${transcript.name}-${Math.random().toString(36).slice(2, 8)}`;
  const made = await kubectl(target, { args: ['create', 'namespace', namespace] });
  if (made.code !== 0) throw new Error(`No namespace could be made: ${made.stderr.trim()}`);
  try {
    await typeTranscript(transcript, target, namespace, webhooks, report);
  } finally {
    // The controllers take their finalizers off while it goes.
    await kubectl(target, { args: ['delete', 'namespace', namespace, '--timeout=60s'] });
  }
}
