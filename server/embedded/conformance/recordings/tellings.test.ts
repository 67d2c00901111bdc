import { describe, expect, it } from 'vitest';
import { found, told } from './edited';

describe('events', () => {
  it('count each change that they tell of', () => {
    const once = found('pause-while-resuming', (events) =>
      told(events, 'SandboxResuming', (event) => (event.type === 'MODIFIED' ? [] : [event])),
    );
    expect(once).toContainEqual(
      expect.objectContaining({ fact: 'events sandbox', recorded: ['Normal SandboxResuming: Resume sandbox'] }),
    );
  });

  it('count the runs of a failing hook, give or take a third', () => {
    const hookRuns = (times: number) =>
      found('update-retry-identical', (events) =>
        told(events, 'PreUpgradeFailed', (event) => (Number(event.object.count) > times ? [] : [event])),
      );
    expect(hookRuns(9)).toEqual([]);
    expect(hookRuns(5)).toContainEqual(
      expect.objectContaining({ seen: [expect.stringMatching(/^5 × Warning PreUpgradeFailed/)] }),
    );
  });

  it('count the members that a pool made, also in the combined one', () => {
    const fewer = found('pool-create-18', (events) =>
      told(events, 'SandboxCreated', (event) => (Number(event.object.count) > 8 ? [] : [event])),
    );
    expect(fewer).toContainEqual(
      expect.objectContaining({ recorded: [expect.stringMatching(/^9 × .*combined from similar events/)] }),
    );
  });

  it('have the numbers of the status whose phase they tell', () => {
    const other = found('update-recreate-success', (events) =>
      told(events, 'SandboxUpdateOpsPhaseChanged', (event) => {
        const message = String(event.object.message).replace('updated=4', 'updated=3');
        return [{ ...event, object: { ...event.object, message } }];
      }),
    );
    expect(other).toContainEqual(expect.objectContaining({ object: 'sandboxupdateops up-1' }));
  });

  it('may tell a change of phase twice, the second time with other numbers', () => {
    const once = found('update-deleted-midway', (events) =>
      told(events, 'SandboxUpdateOpsPhaseChanged', (event) =>
        String(event.object.message).includes('updating=1') ? [] : [event],
      ),
    );
    expect(once).toEqual([]);
  });
});
