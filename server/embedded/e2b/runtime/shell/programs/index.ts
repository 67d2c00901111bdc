import { python } from '../../python/command';
import { bash } from '../bash';
import type { Program } from '../state';
import { CHARACTER_PROGRAMS } from './characters';
import { FILE_PROGRAMS } from './files';
import { grep } from './grep';
import { LINE_PROGRAMS } from './lines';
import { ls } from './ls';
import { PROCESS_PROGRAMS } from './processes';
import { SORTING_PROGRAMS } from './sorting';
import { SYSTEM_PROGRAMS } from './system';

const shell: Program = (run) => bash(run);

/** What is not part of the shell: `/usr/bin`. */
export const PROGRAMS: ReadonlyMap<string, Program> = new Map(
  Object.entries({
    ...CHARACTER_PROGRAMS,
    ...FILE_PROGRAMS,
    ...LINE_PROGRAMS,
    ...PROCESS_PROGRAMS,
    ...SORTING_PROGRAMS,
    ...SYSTEM_PROGRAMS,
    bash: shell,
    egrep: grep,
    fgrep: grep,
    grep,
    ls,
    python,
    python3: python,
    sh: shell,
    true: async () => 0,
    false: async () => 1,
  }),
);
