import type { Stories } from './story';

/** Recordings of single sandboxes: pauses, timers, starts that fail, Pods that go. */
export const sandboxStories: Stories = {
  'pause-resume-hibernate': {
    solo: `1.70 Creating | 2.84 Running +PauseLosesMore | 4.08 Pausing | 4.82 Paused +PauseLosesMore
      | 8.17 Resuming +PauseLosesMore | 9.26 Initialising +PauseLosesMore | 9.28 Running +PauseLosesMore`,
  },
  'pause-resume-stop': {
    web: '2.23 *',
    job: '4.01 - | 4.05 Claiming | 4.07 Completed',
    'web-t59ds': `2.34 Creating | 3.78 Available | 4.04 Running | 8.66 Pausing | 9.42 Paused | 14.79 Resuming
      | 15.91 Initialising | 15.94 Running | 25.24 Pausing | 25.68 Terminating`,
    solo: `2.61 Creating | 3.82 Running | 8.51 Pausing | 9.30 Paused | 14.63 Resuming | 15.73 Initialising | 15.75 Running
      | 19.10 Pausing | 19.84 Paused | 21.03 Terminating`,
    'web-4kwwh': '4.09 Creating',
  },
  // Paused by its pauseTime at 9.8, un-paused at 12.8, and paused again before it had begun to wake.
  'pause-time': {
    auto: '1.71 Creating | 2.91 Running | 9.79 Pausing | 10.59 Paused | 21.00 Resuming | 22.11 Initialising | 22.12 Running',
    keep: '1.98 Creating | 3.11 Running | 9.80 Pausing | 10.62 Paused',
  },
  // Un-paused while it pauses: it pauses to the end first. Paused while it resumes: it resumes to the end first.
  'pause-while-resuming': {
    solo: `1.69 Creating | 5.89 Running | 7.07 Pausing | 10.12 Paused | 10.17 Resuming | 14.36 Initialising | 14.37 Running
      | 16.52 Pausing | 19.60 Paused | 20.85 Resuming | 25.08 Pausing | 28.20 Paused`,
  },
  // The pinned one hangs from 11.66 on. Its Pod is deleted at 107.6, it is paused and un-paused at 120 and 127, gets a new
  // template at 132.9, and a Pod from that at 140.1, which frees it.
  'resume-stuck-digest-init-container': {
    pinned: `3.93 Creating | 5.11 Running +WouldStrand | 8.02 Pausing +WouldStrand | 8.88 Pausing +MayStrand
      | 8.89 Paused +MayStrand | 10.55 Resuming | 11.66 Resuming InitImageMismatch! | 107.57 Resuming OldPodTerminating | 108.29 Resuming PodMissing
      | 108.31 Resuming ContainersStarting | 109.40 Resuming InitImageMismatch! | 139.34 Resuming OldPodTerminating
      | 140.07 Resuming PodMissing | 140.09 Resuming ContainersStarting | 141.24 Resuming ControllerLag
      | 141.29 Initialising | 141.32 Running`,
    tagged: `4.55 Creating | 5.66 Running | 8.21 Pausing | 8.96 Paused | 11.04 Resuming | 12.29 Initialising | 12.31 Running`,
  },
  'shutdown-time': {
    soon: '1.68 Creating | 2.99 Running',
    past: '1.91 Creating',
    moved: '2.12 Creating | 3.27 Running',
    paused: '2.65 Creating | 3.92 Running | 4.33 Pausing | 5.15 Paused | 19.03 Terminating',
  },
  // Deleted Pods end in 0.7 s; only then is the sandbox Failed, with Ready=True. A pool replaces its member, and nobody the others.
  'sandbox-pod-deleted': {
    web: '1.83 *',
    job: '3.44 - | 3.48 Claiming | 3.51 Completed',
    'web-5qdsm': '1.87 Creating | 3.10 Available',
    'web-fn9hh': `1.87 Creating | 3.05 Available | 3.47 Running | 11.18 Running PodDeleted | 11.91 Running PodMissing
      | 11.91 Failed PodNotFound +NotCleanedUp +ReadyThoughDead`,
    solo: '2.06 Creating | 3.18 Running | 8.00 Running PodDeleted | 8.72 Running PodMissing | 8.73 Failed PodNotFound +NotCleanedUp +ReadyThoughDead',
    'web-5bjww':
      '3.51 Creating | 4.64 Available | 14.31 Available PodDeleted | 15.03 Available PodMissing | 15.04 Failed PodNotFound +ReadyThoughDead',
    'web-7kx4r': '15.06 Creating | 16.18 Available',
  },
  'sandbox-start-failures': {
    nopull: '1.76 Creating | 3.21 Creating ImagePull',
    crash: '1.97 Creating | 3.34 NotReady | 5.30 NotReady CrashLoop',
    nosched: '2.22 Creating | 2.27 Creating Unschedulable',
    noref: '2.39 Creating | 2.41 Creating TemplateMissing',
    noruntime: '2.54 Creating | 12.54 Creating RuntimeTemplateMissing',
  },
  // Nobody is there from 4.3 to 20.2: a pause is asked for, a Pod deleted, and nothing follows.
  'controller-down': {
    web: '1.71 *',
    'web-h4pkb': `1.76 Creating | 2.94 Available | 7.69 Available PodDeleted | 8.40 Available PodMissing
      | 20.18 Failed PodNotFound +ReadyThoughDead`,
    'web-sxksm': '1.76 Creating | 2.97 Available',
    solo: '1.94 Creating | 3.06 Running | 7.46 Pausing ControllerLag | 20.21 Pausing | 20.92 Paused',
    gone: '2.15 Creating | 3.26 Running',
    'web-8hg99': '20.22 Creating | 21.34 Available',
    'web-zr65n': '20.22 Creating | 21.39 Available',
  },
};
