import { parseArgs } from 'node:util';
import { Stop } from './report.mjs';

/** Flags of ours that npm has as well: it sets them for reasons of its own, from its configuration files too. */
const knownToNpm = new Set(['dev', 'help', 'json', 'only', 'yes']);

/** The command as it is typed: npm says which of its scripts this is. */
function npmCommand() {
  const script = process.env.npm_lifecycle_event ?? 'COMMAND';
  return script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`;
}

/**
 * Refuses flags that npm kept for itself, because they stand before `--`: it hands them to nobody, and leaves them in
 * the environment.
 * @param {Record<string, { type: 'string' | 'boolean' }>} options
 */
export function refuseSwallowed(options) {
  const swallowed = Object.entries(options).flatMap(([name, { type }]) => {
    const value = knownToNpm.has(name) ? undefined : process.env[`npm_config_${name.replaceAll('-', '_')}`];
    if (value === undefined) return [];
    // From `--port 1` npm makes `--port` and an argument.
    return type === 'boolean' ? [`--${name}`] : [`--${name} ${value === 'true' ? name.toUpperCase() : value}`];
  });
  if (swallowed.length === 0) return;
  const names = swallowed.map((flag) => flag.split(' ')[0]).join(' and ');
  throw new Stop(
    `npm kept ${names} for itself: flags of this command come after --.`,
    `Write: ${npmCommand()} -- ${swallowed.join(' ')}`,
    { code: 2 },
  );
}

/**
 * Command line flags, or a {@link Stop} with exit code 2 that names the one that is wrong.
 * @template {Record<string, { type: 'string' | 'boolean', multiple?: boolean }>} O
 * @param {string[]} argv
 * @param {O} options
 * @returns {{ [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : O[K]['multiple'] extends true ? string[] : string }}
 */
export function parseFlags(argv, options) {
  refuseSwallowed(options);
  try {
    return { ...parseArgs({ args: argv, options, strict: true, allowPositionals: false }).values };
  } catch (error) {
    // Node adds advice about positional arguments after the first sentence; none of these commands takes any.
    const [sentence] = String(error.message).split('. ');
    const help = `Its flags: ${npmCommand()} -- --help`;
    const remedy =
      error.code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL'
        ? `A -- may be missing: ${npmCommand()} -- --FLAG VALUE. ${help}`
        : help;
    throw new Stop(`${sentence}.`, remedy, { code: 2 });
  }
}

/**
 * A TCP port, 0 for "any free one", or a {@link Stop} with exit code 2.
 * @param {string} text
 * @param {string} from the flag or variable that it comes from
 */
export function parsePort(text, from) {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Stop(
    `${from} is "${text}", which is not a port.`,
    'Give a number from 1 to 65535, or 0 for any free port.',
    { code: 2 },
  );
}
