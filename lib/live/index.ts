export {
  type LiveControls,
  StoppedClock,
  useKindFreshness,
  useLimits,
  useLiveControls,
  useLiveState,
  useLiveStatus,
  useMarksVersion,
  useNow,
  useRow,
  useRowByName,
  useRows,
} from './hooks';
export { LiveProvider, type LiveProviderProps } from './provider';
export { delayedAfterMs, type LiveStatus } from './status';
