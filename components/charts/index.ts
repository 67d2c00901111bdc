export { PhaseRibbon, type RibbonSample } from './phase-ribbon';
