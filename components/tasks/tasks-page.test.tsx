// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Runner, Task } from '@/lib/contracts/tasks';
import { pool, sandbox } from '@/lib/live/testing';
import { type Answer, consoleApi } from '../testing/console-api';
import { renderConsole } from '../testing/render-console';
import { setUpPage } from '../testing/set-up-page';
import { aTask, fakeStreams, out, ready } from './tasks.testing';
import { TasksPage } from './tasks-page';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push() {} }), usePathname: () => '/tasks' }));
vi.mock('./form/python-editor', () => ({
  PythonEditor: (props: {
    label: string;
    isInvalid: boolean;
    value: string;
    onChange: (code: string) => void;
    onSubmit: () => void;
  }) => (
    <textarea
      aria-label={props.label}
      aria-invalid={props.isInvalid}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.ctrlKey && event.key === 'Enter') props.onSubmit();
      }}
    />
  ),
}));
setUpPage();

let streams: ReturnType<typeof fakeStreams>;
let tasks: Task[];
let runner: Runner;
let answer: (path: string, body: Record<string, unknown>) => Answer | Promise<Answer>;
/** Of making SandboxClaims. */
let right: 'allowed' | 'denied';
beforeEach(() => {
  streams = fakeStreams();
  tasks = [];
  runner = ready;
  answer = () => ({ body: { task: aTask() } });
  right = 'allowed';
});

const member = (uid: string, name: string) =>
  sandbox(uid, { name: `${name}-${uid}`, pool: name, idle: true, state: 'Available' });
const rows = {
  sandboxsets: [
    { ...pool('p1', 2), name: 'tools' },
    { ...pool('p2', 0), name: 'bare', desired: 0 },
  ],
  sandboxes: [member('a', 'tools'), member('b', 'tools')],
};

async function openPage(search = '') {
  const sent = consoleApi({
    onPost: ({ path, body }) => answer(path, body),
    right: (action) => (action === 'runTask' ? { state: right, verb: 'create', resource: 'sandboxclaims' } : {}),
    onGet: (path) => {
      if (path === '/api/v1/tasks/claims') return { time: 1, claims: [] };
      const one = tasks.find(({ id }) => path === `/api/v1/tasks/${id}`);
      if (one) return { task: one };
      return path.startsWith('/api/v1/tasks?') ? { time: 1, runner, tasks } : undefined;
    },
  });
  const user = userEvent.setup();
  await renderConsole(<TasksPage />, { rows, search });
  return { user, sent };
}

/** The page of task `t1`, connected. */
async function openTask() {
  if (tasks.length === 0) tasks = [aTask({ version: 0 })];
  const page = await openPage('?task=t1');
  await waitFor(() => streams.last);
  return page;
}

/** The button that runs it, once it is known that it may. */
const run = () =>
  waitFor(() => {
    const button = screen.getByRole('button', { name: 'Run task' });
    expect(button.getAttribute('aria-disabled')).toBeNull();
    return button;
  });
const panel = () => screen.findByRole('region', { name: 'Task' });
const say = (...messages: Parameters<typeof streams.last.say>) => act(async () => streams.last.say(...messages));
const told = (task: Task) => ({ type: 'task', task }) as const;
const printed = (...chunks: ReturnType<typeof out>[]) => ({ type: 'output', chunks }) as const;
const refusal = (over: object): Answer => ({
  status: 422,
  body: { code: 'validation', status: 422, message: 'no', applied: 'no', requestId: 'req-1', ...over },
});

describe('the form', () => {
  it('sends the code to the pool that has something ready, and opens the task', async () => {
    const { user, sent } = await openPage();
    const code = await screen.findByLabelText('Python code, task.py');
    await user.clear(code);
    await user.type(code, 'print(1)');
    await user.click(await run());
    await panel();
    expect(sent[0]).toMatchObject({
      path: '/api/v1/tasks',
      body: { pool: { ns: 'demo', name: 'tools' }, code: 'print(1)', timeLimitSeconds: 60, onNoStock: 'create' },
    });
    expect(streams.last.url).toBe('/api/v1/tasks/t1/stream?after=-1');
  });

  it('says of each pool how many are ready, and which one is a cold start', async () => {
    await openPage();
    const options = within(await screen.findByLabelText('Pool')).getAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual([
      'tools · demo · 2 of 5 ready',
      'bare · demo · none of 0 ready: cold start',
    ]);
  });

  it('offers the pool of the newest task, and the one that the address asks for before it', async () => {
    tasks = [aTask({ pool: { ns: 'demo', name: 'bare' } }, 'over')];
    await openPage();
    const chosen = async () => (await screen.findByLabelText<HTMLSelectElement>('Pool')).value;
    expect(await chosen()).toBe('demo/bare');
    cleanup();
    await openPage('?start=demo/tools');
    await waitFor(async () => expect(await chosen()).toBe('demo/tools'));
  });

  it('says before anything is sent that one may not claim there, and keeps what was typed', async () => {
    right = 'denied';
    const { user, sent } = await openPage();
    const code = await screen.findByLabelText<HTMLTextAreaElement>('Python code, task.py');
    await user.clear(code);
    await user.type(code, 'print(9)');
    expect(await screen.findByText('Needs create on sandboxclaims in demo')).toBeTruthy();
    const button = screen.getByRole('button', { name: 'Run task' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await user.click(button);
    await user.type(code, '{Control>}{Enter}{/Control}');
    expect(code.value).toBe('print(9)');
    expect(sent).toEqual([]);
  });

  it('keeps what was typed when it is refused, with the wait and without another try', async () => {
    answer = () =>
      refusal({
        code: 'rate_limited',
        status: 429,
        reason: 'tooManyTasks',
        values: { most: 4 },
        retryAfterSeconds: 7,
      });
    const { user, sent } = await openPage();
    const code = await screen.findByLabelText<HTMLTextAreaElement>('Python code, task.py');
    await user.clear(code);
    await user.type(code, 'print(2)');
    await user.click(await run());
    const alert = await screen.findByText('4 of your tasks wait already. Cancel some, or wait until they have run.');
    expect(alert).toBeTruthy();
    expect(screen.getByRole('timer').textContent).toContain('Ask again in 7');
    expect(code.value).toBe('print(2)');
    expect(sent).toHaveLength(1);
  });

  it('does not send again what may have been taken on', async () => {
    answer = () => Promise.reject(new Error('network down'));
    const { user, sent } = await openPage();
    await user.click(await run());
    expect(await screen.findByText('It may have been taken on')).toBeTruthy();
    expect(sent).toHaveLength(1);
  });

  it('copies the Role that is missing', async () => {
    answer = () =>
      refusal({
        code: 'forbidden',
        status: 403,
        missing: { verb: 'create', group: 'agents.kruise.io', resource: 'sandboxclaims', namespace: 'demo' },
      });
    const { user } = await openPage();
    await user.click(await run());
    expect(await screen.findByText(/^Needs create on sandboxclaims in demo\. Ask/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy a Role snippet' })).toBeTruthy();
  });

  it('sends files, and keeps only their names and those of variables', async () => {
    const { user, sent } = await openPage();
    await user.upload(await screen.findByLabelText('Add files', { selector: 'input' }), new File(['abc'], 'a.txt'));
    await screen.findByText('a.txt');
    await user.click(screen.getByText('Variables, and what to do afterwards'));
    await user.click(screen.getByRole('button', { name: 'Add variable' }));
    await user.type(screen.getByLabelText('Name of variable 1'), 'TOKEN');
    await user.type(screen.getByLabelText('Value of variable 1'), 'sesame');
    await user.click(await run());
    await panel();
    expect(sent[0]?.body).toMatchObject({ files: [{ name: 'a.txt', base64: 'YWJj' }], env: { TOKEN: 'sesame' } });
    await waitFor(() => expect(JSON.stringify(localStorage)).toContain('TOKEN'));
    expect(JSON.stringify(localStorage)).toContain('a.txt');
    expect(JSON.stringify(localStorage)).not.toMatch(/sesame|YWJj/);
  });

  it('names what is missing after a reload before anything is sent', async () => {
    const kept = { code: 'print(3)', files: [{ name: 'a.txt', bytes: 3 }], env: [{ name: 'TOKEN' }] };
    localStorage.setItem('task-form:test http://test', JSON.stringify(kept));
    const { user, sent } = await openPage();
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Python code, task.py')).value).toBe('print(3)');
    expect(screen.getByText(/To be typed again, else they are empty: TOKEN/)).toBeTruthy();
    await user.click(await run());
    expect(screen.getByText(/^a\.txt: choose the file again/)).toBeTruthy();
    expect(sent).toEqual([]);
  });

  it('brings back what a sample replaced', async () => {
    const { user } = await openPage();
    const code = await screen.findByLabelText<HTMLTextAreaElement>('Python code, task.py');
    await user.clear(code);
    await user.type(code, 'mine');
    await user.click(screen.getByRole('button', { name: 'CSV totals' }));
    expect(code.value).toContain('sales.csv');
    expect(screen.getByText('sales.csv')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Bring it back' }));
    expect(code.value).toBe('mine');
    expect(screen.queryByText('sales.csv')).toBeNull();
  });
});

describe('a task', () => {
  it('fills its steps in as they go, and prints as it comes', async () => {
    tasks = [aTask({}, 'claim')];
    await openTask();
    await say(told(aTask({}, 'claim')));
    const claim = () =>
      within(screen.getByRole('region', { name: 'Task' }))
        .queryByText('Claim')
        ?.closest('li');
    await waitFor(() => expect(claim()?.dataset.state).toBe('running'));
    const warm = { id: 'sb', ns: 'demo', name: 'tools-a', uid: 'a', origin: 'warm' as const };
    await say(
      told(aTask({ version: 2, sandbox: warm })),
      printed(out(0, 'half \u001b[31m'), out(1, 'red\u001b[0m\n'), out(2, 'oops\n', 'err')),
    );
    await waitFor(() => expect(screen.getByLabelText('stdout and stderr').textContent).toBe('half red\nerroops\n'));
    expect(claim()?.textContent).toContain('warm, out of the pool');
    expect(claim()?.textContent).toContain('100');
    expect(screen.getByText('red').className).toBe('a-fg1');
  });

  it('shows the end: exit code, results to download, and where the sandbox came from', async () => {
    const ended = aTask(
      {
        state: 'failed',
        exitCode: 3,
        results: [
          { path: 'totals.json', bytes: 2_100, stored: true },
          { path: 'huge.bin', bytes: 90_000_000 },
        ],
        output: { chunks: 1, outBytes: 4, errBytes: 0 },
        sandbox: {
          id: 'sb',
          ns: 'demo',
          name: 'tools-a',
          uid: 'a',
          origin: 'warm',
          created: Date.now() - 60_000,
          leftPoolAt: Date.now(),
          refill: { name: 'tools-c', uid: 'c', at: Date.now() },
          releasedAt: Date.now(),
        },
      },
      'over',
    );
    tasks = [ended];
    await openTask();
    await say(told(ended), printed(out(0, 'hi\n\n')), { type: 'ended' });
    const shown = await panel();
    await waitFor(() => expect(within(shown).getByText('exit 3')).toBeTruthy());
    expect(within(shown).getByRole<HTMLAnchorElement>('link', { name: 'totals.json' }).pathname).toBe(
      '/api/v1/tasks/t1/files',
    );
    expect(within(shown).queryByRole('link', { name: 'huge.bin' })).toBeNull();
    expect(within(shown).getByText('too large or too many: left in the sandbox')).toBeTruthy();
    expect(within(shown).getByRole<HTMLAnchorElement>('link', { name: 'tools-c' }).pathname).toBe(
      '/sandboxes/demo/tools-c',
    );
    expect(within(shown).getByText('Warm: it was a member of pool tools before the claim')).toBeTruthy();
    await waitFor(() => expect(streams.last.isClosed).toBe(true));
  });

  it('takes the stream up again where it broke off, and shows nothing twice', async () => {
    await openTask();
    await say(told(aTask()));
    await waitFor(() => expect(screen.getByLabelText('stdout and stderr').textContent).toBe('Nothing printed yet.'));
    await say(printed(out(0, 'a\n')));
    await waitFor(() => expect(screen.getByLabelText('stdout and stderr').textContent).toBe('a\n'));
    tasks = [aTask()];
    await act(async () => streams.last.onerror?.());
    expect(await screen.findByText('The console does not answer; reconnecting')).toBeTruthy();
    await waitFor(() => expect(streams.opened).toHaveLength(2), { timeout: 5_000 });
    expect(streams.last.url).toBe('/api/v1/tasks/t1/stream?after=0');
    await say(told(aTask({ version: 2 })), printed(out(0, 'a\n'), out(1, 'b\n')));
    await waitFor(() => expect(screen.getByLabelText('stdout and stderr').textContent).toBe('a\nb\n'));
    expect(screen.queryByText('The console does not answer; reconnecting')).toBeNull();
  });

  it('does not say that nothing is printed while it cannot hear', async () => {
    await openTask();
    await say(told(aTask()));
    await act(async () => streams.last.onerror?.());
    expect(await screen.findByText('What the code prints does not reach this page now.')).toBeTruthy();
    expect(screen.queryByText('Nothing printed yet.')).toBeNull();
  });

  it('asks for what is missing in between, and says when it does not come', async () => {
    await openTask();
    await say(told(aTask()), printed(out(0, 'a\n')));
    await say(printed(out(3, 'd\n')));
    await waitFor(() => expect(streams.opened).toHaveLength(2));
    expect(streams.last.url).toBe('/api/v1/tasks/t1/stream?after=0');
    await say(told(aTask()), printed(out(2, 'c\n'), out(3, 'd\n')));
    await waitFor(() => expect(screen.getByLabelText('stdout and stderr').textContent).toBe('a\nc\nd\n'));
    expect(screen.getByText(/^A part in between did not reach this page/)).toBeTruthy();
  });

  it('follows the end of the output until somebody scrolls up, however it grows', async () => {
    await openTask();
    await say(told(aTask()), printed(out(0, 'a\n')));
    const screenOf = await screen.findByLabelText('stdout and stderr');
    const scrolls = (scrollTop: number, scrollHeight: number) => {
      Object.defineProperty(screenOf, 'scrollHeight', { configurable: true, value: scrollHeight });
      Object.defineProperty(screenOf, 'scrollTop', { configurable: true, writable: true, value: scrollTop });
      fireEvent.scroll(screenOf);
    };
    scrolls(1_400, 2_000);
    // The browser does so too, when lines turn out to be higher or are dropped.
    scrolls(1_300, 9_000);
    expect(screen.queryByRole('button', { name: 'To the end' })).toBeNull();
    fireEvent.wheel(screenOf);
    scrolls(1_200, 9_000);
    expect(screen.getByRole('button', { name: 'To the end' })).toBeTruthy();
  });

  it('says how much of a long output is left out', async () => {
    await openTask();
    await say(told(aTask({ output: { chunks: 9, outBytes: 1_500_000, errBytes: 0 } })), {
      type: 'output',
      chunks: [out(8, 'end\n')],
      skipped: 1_200_000,
    });
    expect(await screen.findByText(/^1\.2.MB that were printed before are not shown/)).toBeTruthy();
    expect(screen.getByRole<HTMLAnchorElement>('link', { name: /All of it/ }).pathname).toBe('/api/v1/tasks/t1/output');
    expect(screen.queryByText(/^A part in between/)).toBeNull();
  });

  it('cannot be cancelled while its sandbox is given back, and says so', async () => {
    const { user, sent } = await openTask();
    await say(told(aTask({}, 'release')));
    await user.click(await screen.findByRole('button', { name: 'Giving back…' }));
    expect(sent).toEqual([]);
  });

  it('is cancelled, and says so until it has ended', async () => {
    answer = () => ({ body: { task: aTask({ state: 'cancelling', version: 3 }) } });
    const { user, sent } = await openTask();
    await say(told(aTask()));
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(sent[0]?.path).toBe('/api/v1/tasks/t1/cancel');
    expect(await within(await panel()).findByText('cancelling')).toBeTruthy();
  });

  it('says what happened and what to do, with the pool as it is', async () => {
    const problem = { code: 'noStock' as const, status: 400, detail: 'no available sandboxes' };
    await openTask();
    await say(told(aTask({ state: 'error', problem, endedAt: Date.now() }, 'claim')));
    expect(await screen.findByText('No sandbox was available')).toBeTruthy();
    expect(screen.getByText(/^Scale the pool up/)).toBeTruthy();
    expect(screen.getByText(/Pool tools now: 2 of 5 ready/)).toBeTruthy();
    expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Scale it' }).search).toBe('?form=scale');
    expect(screen.getByText('no available sandboxes')).toBeTruthy();
  });

  it('names what stopped the code rather than its exit code', async () => {
    tasks = [aTask({ state: 'failed', exitCode: 1, problem: { code: 'outOfMemory' } }, 'over')];
    await openTask();
    expect(await within(await panel()).findByText('out of memory')).toBeTruthy();
    expect(within(await panel()).queryByText('exit 1')).toBeNull();
  });

  it('counts a kept sandbox down by the answer, and gives it back', async () => {
    const kept = { keptUntil: Date.now() + 600_000, sandbox: { id: 'sb', origin: 'cold' as const } };
    const { keptUntil: _, ...given } = kept;
    answer = () => ({ body: { task: aTask({ ...given, version: 9 }, 'over') } });
    const { user, sent } = await openTask();
    await say(told(aTask(kept, 'over')), { type: 'ended' });
    expect((await screen.findByRole('timer')).textContent).toMatch(/It lives for another (10|9).m/);
    await user.click(screen.getByRole('button', { name: 'Give it back now' }));
    expect(sent[0]?.path).toBe('/api/v1/tasks/t1/release');
    await waitFor(() => expect(screen.queryByText('Sandbox kept')).toBeNull());
  });

  it('runs again: code, files and pool are taken over, values have to be typed', async () => {
    const request = {
      code: 'print("again")',
      files: [{ name: 'in.csv', bytes: 5 }],
      env: ['TOKEN'],
      timeLimitSeconds: 90,
      afterwards: { do: 'keep' as const, minutes: 5 },
      onNoStock: 'fail' as const,
    };
    const { user, sent } = await openTask();
    await say(told(aTask({ request }, 'over')), { type: 'ended' });
    await user.click(await screen.findByRole('button', { name: 'Run again' }));
    expect(screen.getByText(/To be typed again, else they are empty: TOKEN/)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'New task' }));
    await user.type(screen.getByLabelText('Value of variable 1'), 'new');
    await user.click(await run());
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({
      pool: { ns: 'demo', name: 'tools' },
      code: 'print("again")',
      files: [],
      env: { TOKEN: 'new' },
      timeLimitSeconds: 90,
      afterwards: { do: 'keep', minutes: 5 },
      reuse: { task: 't1', files: ['in.csv'] },
      onNoStock: 'fail',
    });
  });

  it('runs again at once when nothing has to be typed, and else, or on request, puts it into the form', async () => {
    const { user, sent } = await openTask();
    await say(told(aTask({}, 'over')), { type: 'ended' });
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'New task' }));
    expect(sent).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Run again' }));
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ pool: { ns: 'demo', name: 'tools' }, env: {} }));
  });

  it('calls a step that somebody stopped no failure', async () => {
    await openTask();
    const steps = aTask({}, 'over').steps.map((step) =>
      step.name === 'run' ? { ...step, state: 'failed' as const } : step,
    );
    await say(told(aTask({ state: 'cancelled', steps }, 'over')), { type: 'ended' });
    expect(await screen.findByText('(stopped)')).toBeTruthy();
    expect(screen.queryByText('(failed)')).toBeNull();
  });

  it('names the sandbox that its claim waits for', async () => {
    await openTask();
    await say(told(aTask({ pending: { ns: 'demo', name: 'tools-a' } }, 'claim')));
    expect((await screen.findByRole('link', { name: 'tools-a' })).getAttribute('href')).toBe('/sandboxes/demo/tools-a');
  });

  it('states no time of a run, and no empty output, that nobody has seen', async () => {
    await openTask();
    const { steps } = aTask({}, 'over');
    const unseen = steps.map((step) => (step.name === 'run' ? { ...step, atMost: true as const } : step));
    const notes = [{ code: 'adopted' as const, at: Date.now() }];
    await say(told(aTask({ steps: unseen, notes }, 'over')), { type: 'ended' });
    expect(await screen.findByText(/^≤/)).toBeTruthy();
    expect(screen.getByText(/^No output was heard/)).toBeTruthy();
    expect(screen.queryByText('Nothing was printed.')).toBeNull();
  });

  it('runs the same on an empty pool', async () => {
    const { user, sent } = await openTask();
    await say(told(aTask({ sandbox: { id: 'sb', origin: 'warm' } }, 'over')), { type: 'ended' });
    await user.click(await screen.findByRole('button', { name: 'Run it on an empty pool' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ pool: { ns: 'demo', name: 'bare' }, onNoStock: 'create', files: [] });
  });

  it('says that there is no such task of this person', async () => {
    await openPage('?task=other');
    expect(await screen.findByText('This task could not be shown')).toBeTruthy();
    expect(streams.opened).toEqual([]);
  });
});

describe('around it', () => {
  it('says what to set where no manager is configured, and shows what was run before', async () => {
    runner = { state: 'off', missing: ['E2B_API_URL', 'E2B_API_KEY'] };
    tasks = [aTask({}, 'over')];
    await openPage();
    expect(await screen.findByText('Tasks are not set up')).toBeTruthy();
    expect(screen.getByText('E2B_API_KEY')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Run task' })).toBeNull();
    expect(await screen.findByRole('link', { name: 'print("hi")' })).toBeTruthy();
  });

  it('opens a task from the history, whose name is its link', async () => {
    tasks = [aTask({}, 'over')];
    const { user } = await openPage();
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'print("hi")' });
    expect(link.search).toBe('?task=t1');
    await user.click(link);
    await panel();
    expect(streams.last.url).toContain('/t1/');
  });
});

describe('the focus', () => {
  const focused = () => document.activeElement;

  it('goes to what is next when a file or a variable is removed', async () => {
    const { user } = await openPage();
    const files = ['a.txt', 'b.txt'].map((name) => new File(['x'], name));
    await user.upload(await screen.findByLabelText('Add files', { selector: 'input' }), files);
    await user.click(await screen.findByRole('button', { name: 'Remove a.txt' }));
    expect(focused()).toBe(screen.getByRole('button', { name: 'Remove b.txt' }));
    await user.click(screen.getByRole('button', { name: 'Remove b.txt' }));
    expect(focused()).toBe(screen.getByRole('button', { name: 'Add files' }));
    await user.click(screen.getByText('Variables, and what to do afterwards'));
    await user.click(screen.getByRole('button', { name: 'Add variable' }));
    await user.click(screen.getByRole('button', { name: 'Add variable' }));
    await user.click(screen.getByRole('button', { name: 'Remove variable 1' }));
    expect(focused()).toBe(screen.getByRole('button', { name: 'Remove variable 1' }));
    await user.click(screen.getByRole('button', { name: 'Remove variable 1' }));
    expect(focused()).toBe(screen.getByRole('button', { name: 'Add variable' }));
    expect(focused()?.closest('details')?.open).toBe(true);
  });

  it('goes to the first field that is wrong when the form is not sent, and marks each', async () => {
    const { user, sent } = await openPage();
    const code = await screen.findByLabelText<HTMLTextAreaElement>('Python code, task.py');
    const bad = ['.a', '.b'].map((name) => new File(['x'], name));
    await user.upload(screen.getByLabelText('Add files', { selector: 'input' }), [...bad, new File(['x'], 'good')]);
    await screen.findByText('good');
    await user.click(await run());
    expect(focused()).toBe(screen.getByRole('button', { name: 'Remove .a' }));
    expect(screen.getByRole('button', { name: 'Remove .b' }).getAttribute('aria-describedby')).not.toBeNull();
    expect(screen.getByRole('button', { name: 'Remove good' }).getAttribute('aria-describedby')).toBeNull();
    expect(screen.getByText(/^\.a, \.b: to be renamed\./)).toBeTruthy();
    await user.clear(code);
    await user.click(await run());
    expect(focused()).toBe(code);
    expect(code.getAttribute('aria-invalid')).toBe('true');
    expect(sent).toEqual([]);
  });

  it('goes into the form with what is brought back, and to the filter when filters are cleared', async () => {
    const { user } = await openPage('?state=failed');
    await user.click(await screen.findByRole('button', { name: 'CSV totals' }));
    await user.click(screen.getByRole('button', { name: 'Bring it back' }));
    expect(focused()).toBe(screen.getByRole('region', { name: 'New task' }));
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
    expect(focused()).toBe(screen.getByRole('searchbox', { name: 'Filter by code or id' }));
  });
});

describe('result files', () => {
  it('are spoken of once there is something to say', async () => {
    await openTask();
    await say(told(aTask()));
    expect(within(await panel()).queryByText('Result files')).toBeNull();
    await say(told(aTask({ version: 2 }, 'over')), { type: 'ended' });
    expect(await within(await panel()).findByText('The code wrote no files.')).toBeTruthy();
  });
});

describe('the history', () => {
  it('counts what it shows, and opens a task by a press anywhere in its row', async () => {
    tasks = [aTask({}, 'over'), aTask({ id: 't2', title: 'other' }, 'over')];
    const { user } = await openPage();
    expect(await screen.findByText('2 tasks')).toBeTruthy();
    const row = screen.getByRole('link', { name: 'other' }).closest('tr') as HTMLElement;
    await user.click(within(row).getByText('exit 0'));
    await panel();
    expect(streams.last.url).toContain('/t2/');
  });
});
