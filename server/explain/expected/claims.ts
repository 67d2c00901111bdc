import type { Stories } from './story';

/** Recordings of claims, of what comes back from them, and of locks. */
export const claimStories: Stories = {
  'claim-and-refill': {
    web: '1.72 *',
    'job-1': '5.70 - | 5.76 Claiming | 5.79 Completed',
    'web-wt8md': '1.76 Creating | 3.23 Available',
    'web-qx6lf': '1.76 Creating | 3.31 Available',
    'web-bq656': '1.76 Creating | 3.06 Available | 5.73 Running',
    'web-6tlkx': '1.76 Creating | 3.21 Available | 5.71 Running',
    'web-z5jb7': '5.77 Creating | 7.09 Available',
    'web-5rg8x': '5.78 Creating | 7.04 Available',
  },
  // The second sandbox that was taken is deleted at 9.30 and counted at 9.31; of the other claim both are kept.
  'claim-runtime-init-fails': {
    web: '1.73 *',
    bad: '3.20 - | 6.27 Claiming @3.2 | 9.34 Completed ClaimCountsGone',
    keep: '19.37 - | 22.42 Claiming @19.4 | 25.47 Completed ClaimTimedOut',
    'web-2c4vn': '1.75 Creating | 2.94 Available | 3.21 Running',
    'web-4qg4b': '1.75 Creating | 2.91 Available | 22.43 Running',
    'web-n8hf9': '3.26 Creating | 4.39 Available | 6.28 Running',
    'web-nqc82': '6.32 Creating | 7.46 Available | 19.40 Running',
    'web-26nbc': '19.42 Creating | 20.55 Available',
    'web-9p5df': '22.45 Creating | 23.56 Available',
  },
  // One of three is there, the next takes 20 s, and the claim waits 12; another names a pool that does not exist.
  'claim-timeout-partial': {
    web: '4.15 *',
    big: '25.82 - | 25.82 Claiming | 37.89 Completed ClaimTimedOut',
    lost: '26.22 - ClaimPoolMissing | 26.23 Completed ClaimPoolMissing',
    'on-demand': '43.11 - | 63.43 Claiming @43.1 | 63.43 Completed',
    'web-4h2gr': '4.19 Creating | 24.45 Available | 25.81 Running',
    'web-lqzsn': '25.93 Creating | 46.22 Available',
    'web-9q2s9': '43.11 Creating | 63.43 Running',
    'web-9klwr': '43.12 Creating | 63.43 Running',
  },
  'claim-ttl': {
    web: '4.04 *',
    job: '5.61 - | 5.63 Claiming | 5.65 Completed',
    'web-dtwbm': '4.17 Creating | 5.38 Available | 5.62 Running',
    'web-f5rl6': '5.66 Creating | 6.80 Available',
    'web-h4wm6': '19.85 Creating',
  },
  // Locked by hand at 4.1, unlocked at 29.6.
  'locked-pool-member': {
    web: '1.69 *',
    job: '5.33 - | 5.36 Claiming | 7.46 Completed',
    'web-8f2k5': '1.71 Creating | 2.88 Available | 4.13 Available Locked @4.13 | 29.60 Available @2.88',
    'web-cq76h': '1.71 Creating | 2.92 Available | 5.34 Running',
    'web-9t488': '5.40 Creating | 6.54 Available | 7.39 Running',
    'web-crmsv': '7.47 Creating | 8.57 Available',
  },
  // One comes back at 16.6, uncleaned, and nobody notices that there are three of two before the template changes at 27.
  recycle: {
    web: '1.90 * | 25.6 * +PoolSurplus | 26.99 *',
    job: '3.41 - | 3.51 Claiming | 3.54 Completed',
    'web-kw7k8': '1.96 Creating | 3.14 Available | 3.49 Running | 27.05 Running +OutdatedClaimed',
    'web-js6c9': '1.96 Creating | 3.15 Available | 3.41 Running | 6.87 Recycling | 16.60 Available +NotReset',
    'web-pj6nv': '3.50 Creating | 4.68 Available',
    'web-p47mc': '3.50 Creating | 4.69 Available',
    'web-zsxdz': '27.11 Creating | 28.23 Available',
    'web-grskt': '28.32 Creating | 29.45 Available',
  },
};
