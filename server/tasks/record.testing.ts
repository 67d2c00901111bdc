import { freshSteps, type TaskRecord } from './record';

/** A task that runs `print(1)`. */
export const taskRecordOf = (id: string, more: Partial<TaskRecord> = {}): TaskRecord => ({
  id,
  person: 'mara',
  version: 1,
  state: 'running',
  pool: { ns: 'default', name: 'python' },
  title: 'print(1)',
  createdAt: 1_000,
  request: {
    code: 'print(1)',
    files: [],
    env: ['TOKEN'],
    timeLimitSeconds: 60,
    afterwards: { do: 'release' },
    onNoStock: 'create',
  },
  steps: freshSteps(),
  results: [],
  notes: [],
  output: { chunks: 0, outBytes: 0, errBytes: 0 },
  ...more,
});
