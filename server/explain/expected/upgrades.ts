import type { Stories } from './story';

/** Recordings of updates that come to their end. */
export const upgradeStories: Stories = {
  // While a hook runs nothing is written; what is written then begins with it.
  'hook-success': {
    'box-1': '1.96 Creating | 3.08 Running | 9.17 Upgrading/UpgradePod @5.14 | 14.98 Running',
    'box-2': '2.72 Creating | 3.84 Running | 19.08 Upgrading/UpgradePod @15.02 | 24.89 Running',
    'up-1': '5.11 - | 5.15 Updating | 24.93 Completed',
  },
  'paused-sandboxes-with-statefilter': {
    'box-1': `2.58 Creating | 3.73 Running | 7.74 Upgrading/UpgradePod | 9.57 Running | 12.11 Upgrading/UpgradePod
      | 13.89 Running`,
    'box-2': `2.91 Creating | 4.07 Running | 5.53 Pausing | 6.34 Paused | 13.99 Upgrading/Resuming
      | 15.10 Upgrading/ResumeSucceed | 15.13 Upgrading/UpgradePod | 16.98 Pausing | 17.76 Paused`,
    'box-3': `3.15 Creating | 4.30 Running | 5.68 Pausing | 6.45 Paused | 17.16 Upgrading/Resuming
      | 18.29 Upgrading/ResumeSucceed | 18.33 Upgrading/UpgradePod | 20.21 Pausing | 20.95 Paused`,
    'up-1': '7.68 - | 7.71 Updating | 9.69 Completed',
    'up-2': '12.03 - | 12.08 Updating | 20.31 Completed',
  },
  'second-update-refused': {
    'box-1': '1.70 Creating | 4.94 Running | 7.80 Upgrading/UpgradePod | 11.83 Running',
    'box-2': '1.90 Creating | 5.12 Running | 11.86 Upgrading/UpgradePod | 16.02 Running',
    other: '6.33 Creating | 7.49 Running | 18.40 Upgrading/UpgradePod | 20.22 Running',
    'up-1': '7.75 - | 7.78 Updating | 16.07 Completed',
    'up-2': '18.31 - | 18.36 Updating | 20.29 Completed',
  },
  // Its user wakes it while the update does, and the finalizer of the pause stays.
  'unpause-during-paused-update': {
    'box-1': `1.73 Creating | 4.96 Running | 6.13 Pausing | 6.89 Paused | 8.21 Upgrading/Resuming
      | 11.38 Upgrading/ResumeSucceed | 11.46 Upgrading/UpgradePod | 15.39 Running | 15.42 Running +LeftoverFinalizer`,
    'up-1': '8.13 - | 8.18 Updating | 15.42 Completed',
  },
  'update-ignores-pool-members': {
    web: '3.64 *',
    'web-lwr4n': '3.70 Creating | 4.98 Available',
    'web-zwht8': '3.70 Creating | 5.35 Available',
    solo: '4.46 Creating | 5.80 Running | 10.89 Upgrading/UpgradePod | 12.67 Running',
    lost: '4.79 Creating | 6.20 Running | 6.95 Running PodDeleted | 7.67 Running PodMissing | 7.68 Failed PodNotFound +NotCleanedUp +ReadyThoughDead',
    sleepy: '5.51 Creating | 6.67 Running | 9.31 Pausing | 15.38 Paused',
    'up-1': '10.79 - | 10.85 Updating +OperationLeftOut | 12.70 Completed +OperationLeftOut | 15.38 Completed',
  },
  'update-maxunavailable-zero': {
    'box-1': '4.50 Creating | 5.66 Running | 7.93 Upgrading/UpgradePod | 9.71 Running',
    'box-2': '5.18 Creating | 6.31 Running | 9.81 Upgrading/UpgradePod | 11.62 Running',
    'up-1': '7.83 - | 7.89 Updating | 11.64 Completed',
  },
  'update-paused-and-continued': {
    'box-1': '1.77 Creating | 3.96 Running | 5.78 Upgrading/UpgradePod | 8.71 Running',
    'box-2': '1.91 Creating | 4.18 Running | 8.77 Upgrading/UpgradePod | 11.72 Running',
    'box-3': '2.10 Creating | 4.37 Running | 21.26 Upgrading/UpgradePod | 24.25 Running',
    'box-4': '2.29 Creating | 4.50 Running | 24.32 Upgrading/UpgradePod | 27.31 Running',
    'up-1': '5.71 - | 5.75 Updating | 27.33 Completed',
  },
  'update-recreate-success': {
    web: '4.39 *',
    job: '6.09 - | 6.13 Claiming | 6.16 Completed',
    'web-6fthh': '4.55 Creating | 5.86 Available | 6.11 Running | 14.11 Upgrading/UpgradePod | 15.92 Running',
    'web-4x8fs': '4.55 Creating | 5.87 Available | 6.11 Running | 12.24 Upgrading/UpgradePod | 14.05 Running',
    'web-hg7xc': '4.55 Creating | 5.77 Available | 6.11 Running | 16.00 Upgrading/UpgradePod | 17.85 Running',
    'web-2wp7p': '4.55 Creating | 5.86 Available | 6.11 Running | 10.24 Upgrading/UpgradePod | 12.16 Running',
    'web-4lslf': '6.17 Creating',
    'web-kfn6m': '6.17 Creating',
    'web-hfl2z': '6.18 Creating',
    'web-9ff9t': '6.18 Creating',
    'up-1': '10.15 - | 10.21 Updating | 17.88 Completed | 22.08 Terminating',
  },
  'upgrade-selector-matching-nothing': {
    'box-1': '1.66 Creating | 2.78 Running',
    'up-none': '4.10 - | 4.14 Updating | 4.14 Completed',
    'up-noop': '14.72 - | 14.79 Updating | 14.80 Completed',
  },
};
