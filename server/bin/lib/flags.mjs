import { parseArgs } from 'node:util';
import { Stop } from './report.mjs';

/**
 * Command line flags, or a {@link Stop} with exit code 2 that names the one that is wrong.
 * @template {Record<string, { type: 'string' | 'boolean' }>} O
 * @param {string[]} argv
 * @param {O} options
 * @returns {{ [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string }}
 */
export function parseFlags(argv, options) {
  try {
    return { ...parseArgs({ args: argv, options, strict: true, allowPositionals: false }).values };
  } catch (error) {
    // Node adds advice about positional arguments after the first sentence; none of these commands takes any.
    const [sentence] = String(error.message).split('. ');
    throw new Stop(`${sentence}.`, 'Run the command with -- --help to see its flags.', { code: 2 });
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
