import { BASICS } from './basics';
import type { Builtin } from './call';
import { COMMANDS } from './commands';
import { JOBS } from './jobs';
import { SCRIPTS } from './scripts';
import { VARIABLES } from './variables';

/** Commands that are a part of the shell. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map(
  Object.entries({ ...BASICS, ...COMMANDS, ...JOBS, ...SCRIPTS, ...VARIABLES }),
);
