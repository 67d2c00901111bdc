import { constants } from 'node:os';
import { killAll, stopAll } from './processes.mjs';
import { Stop, say, stopText } from './report.mjs';

/**
 * Runs a command to its end, and ends the process with its exit code. Ctrl-C, SIGTERM and a closed terminal end what
 * the command has started; a second one does not wait.
 * @param {(run: { stopCode?: number }) => Promise<number>} command
 *   may set `stopCode`, the exit code after a signal, when being stopped is how it ends; otherwise that is an
 *   interruption, with the exit code that shells expect
 */
export async function runMain(command) {
  const run = {};
  let stopping = false;
  const onSignal = async (signal) => {
    if (stopping) return killAll();
    stopping = true;
    say(run.stopCode === undefined ? '\nInterrupted' : '\nStopping …');
    await stopAll();
    process.exit(run.stopCode ?? 128 + constants.signals[signal]);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  if (process.env.npm_lifecycle_event) whenParentEnds(() => onSignal('SIGTERM'));

  let code = 1;
  try {
    code = await command(run);
  } catch (error) {
    // Whatever fails while everything is being ended fails because of that.
    if (stopping) return;
    say(error instanceof Stop ? stopText(error) : error.stack);
    if (error instanceof Stop) code = error.code;
  }
  if (stopping) return;
  await stopAll();
  process.exit(code);
}

/** npm ends at once when it gets a SIGTERM, and does not pass it on; what shows is that it is gone. */
function whenParentEnds(callback) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, 200);
  timer.unref();
}
