export { PhaseReplay } from './phase-replay';
export { StageDurations } from './stage-durations';
export { SandboxWaterfall } from './waterfall';
