import { killAll, stopAll } from './processes.mjs';
import { Stop, say, stopText } from './report.mjs';

/**
 * Runs a command to its end, and ends the process with its exit code. Ctrl-C, SIGTERM and a closed terminal end what
 * the command has started; a second one does not wait.
 * @param {(run: { stopCode: number }) => Promise<number>} command
 *   may set `stopCode`, the exit code after a signal: 130 until it says that being stopped is how it ends
 */
export async function runMain(command) {
  const run = { stopCode: 130 };
  let stopping = false;
  const onSignal = async () => {
    if (stopping) return killAll();
    stopping = true;
    say('\nStopping …');
    await stopAll();
    process.exit(run.stopCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  if (process.env.npm_lifecycle_event) whenParentEnds(onSignal);

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
