import { claimStories } from './claims';
import { poolStories } from './pools';
import { sandboxStories } from './sandboxes';
import type { Stories } from './story';
import { upgradeFailureStories } from './upgrade-failures';
import { upgradeStories } from './upgrades';

/** By recording and object. */
export const stories: Stories = {
  ...poolStories,
  ...claimStories,
  ...sandboxStories,
  ...upgradeStories,
  ...upgradeFailureStories,
};
