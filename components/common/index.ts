export { StockBar, StockKeys, UnitBar } from './bars';
export { CodePane } from './code-pane';
export { FacetGroup, type FacetItem, FacetRail, FacetSheet } from './facets';
export { type FigureLevel, type FigureProps, FigureStrip } from './figure';
export { FilterField } from './filter-field';
export { FreshnessChip, StaleBanner } from './freshness';
export { KeyValues, PageHead, SectionHead } from './heads';
export {
  EmptyState,
  FailedState,
  FilteredEmpty,
  ForbiddenState,
  type ListState,
  ListTrouble,
  MissingKindState,
  useListState,
} from './list-states';
export { MiddleCut } from './middle-cut';
export { useObject, useObjectIfAny } from './object-query';
export { Peek } from './peek';
export { PickFilter } from './pick-filter';
export { useProblemText } from './problem-text';
export { Dwell, DwellMeter, Rail } from './rail';
export { ExternalLink, SafeText } from './safe-text';
export { isTaken, useShortcut } from './shortcuts';
export { SandboxState, StateBadge, severityTone, stateLooks } from './state-badge';
export { Ago, Countdown, Exact, TimeOfDay } from './time';
