import { describe, expect, it } from 'vitest';
import { joinSteps, stageTimes } from './stage-times';

describe('stageTimes', () => {
  it('ends a stage where the next one begins', () => {
    const steps: [string, number][] = [
      ['Resuming', 100],
      ['ResumeSucceed', 160],
      ['UpgradePod', 200],
      ['PostUpgrade', 900],
      ['Succeeded', 950],
    ];
    expect(stageTimes(steps)).toEqual({
      Resuming: { from: 100, to: 200 },
      UpgradePod: { from: 200, to: 900 },
      PostUpgrade: { from: 900, to: 950 },
      Done: { from: 950 },
    });
  });

  it('keeps when a stage failed until it goes on', () => {
    const failed: [string, number][] = [
      ['UpgradePod', 200],
      ['UpgradePodFailed', 260],
    ];
    expect(stageTimes(failed)).toEqual({ UpgradePod: { from: 200, failedAt: 260 } });
    expect(stageTimes([...failed, ['UpgradePod', 300]])).toEqual({ UpgradePod: { from: 200 } });
    expect(stageTimes([...failed, ['Succeeded', 400]])).toEqual({
      UpgradePod: { from: 200, to: 400 },
      Done: { from: 400 },
    });
  });

  it('knows nothing of what nobody saw, and passes over reasons it does not know', () => {
    expect(stageTimes(undefined)).toEqual({});
    expect(
      stageTimes([
        ['Constructing', 5],
        ['PreUpgradeFailed', 9],
      ]),
    ).toEqual({ PreUpgrade: { from: 9, failedAt: 9 } });
  });
});

describe('joinSteps', () => {
  const earlier: [string, number][] = [
    ['PreUpgrade', 100],
    ['UpgradePod', 200],
  ];

  it('goes on where the later ones begin with what the earlier ones ended with', () => {
    const later: [string, number][] = [
      ['UpgradePod', 100],
      ['Succeeded', 900],
    ];
    expect(stageTimes(joinSteps(earlier, later))).toMatchObject({
      UpgradePod: { from: 200, to: 900 },
      Done: { from: 900 },
    });
  });

  it('does not know when a stage ended that ended while nobody watched', () => {
    const times = stageTimes(joinSteps(earlier, [['Succeeded', 900]]));
    expect(times.UpgradePod).toEqual({ from: 200 });
    expect(times.Done).toEqual({ from: 900 });
    // By the condition, which tells when the upgrade began.
    expect(stageTimes(joinSteps(earlier, [['PostUpgrade', 100]]))).not.toHaveProperty('PostUpgrade');
  });

  it('adds nothing twice', () => {
    expect(joinSteps(earlier, [...earlier, ['Succeeded', 300]])).toEqual([...earlier, ['Succeeded', 300]]);
    expect(joinSteps(earlier, undefined)).toEqual(earlier);
    expect(joinSteps([], earlier)).toEqual(earlier);
  });
});
