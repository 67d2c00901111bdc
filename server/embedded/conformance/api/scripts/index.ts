import type { Scripts } from '../script';
import { applying } from './applying';
import { clusters } from './clusters';
import { collecting } from './collecting';
import { coreKinds } from './core-kinds';
import { creating } from './creating';
import { deleting } from './deleting';
import { dryRuns } from './dry-runs';
import { listing } from './listing';
import { patching } from './patching';
import { quotas } from './quotas';
import { resizing } from './resizing';
import { rights } from './rights';
import { shapes } from './shapes';
import { updating } from './updating';
import { validating } from './validating';
import { volumes } from './volumes';
import { watching } from './watching';

/** Everything that is asked, by theme. */
export const themes: Record<string, Scripts> = {
  creating,
  validating,
  updating,
  patching,
  applying,
  deleting,
  collecting,
  'dry runs': dryRuns,
  listing,
  watching,
  shapes,
  'core kinds': coreKinds,
  resizing,
  volumes,
  quotas,
  rights,
  clusters,
};
