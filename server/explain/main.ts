import { explain } from './explain';
import { InputError } from './input-error';

/** The command behind `npm run explain`: its checked options come as JSON, and what the input lacks goes back in two lines. */
// Whoever reads may have read enough: `… | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
try {
  process.stdout.write(explain(JSON.parse(process.argv[2] ?? '{}')));
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  process.stderr.write(`Error: ${error.message}\n  ${error.remedy}\n`);
  process.exitCode = 2;
}
