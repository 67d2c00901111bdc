import { type ChildProcess, spawn } from 'node:child_process';

/** Reads `+PID` and `-PID`; when its input ends, whatever lives is killed with its group and the folder is deleted. */
const SCRIPT = `
pids=' '
while read -r line; do
  case $line in
    +*) pids="$pids\${line#+} " ;;
    -*) pids="\${pids%% \${line#-} *} \${pids#* \${line#-} }" ;;
  esac
done
for pid in $pids; do kill -9 "-$pid" 2>/dev/null; done
rm -rf "$1"
`;

/** Ends processes when this one dies, in whatever way: a busy program does not notice it itself. */
export class Reaper {
  private child: ChildProcess | undefined;

  /** @param dir deleted in the end */
  constructor(private readonly dir: string) {}

  watch(child: ChildProcess): void {
    const { pid } = child;
    if (pid === undefined) return;
    this.tell(`+${pid}`);
    child.once('exit', () => this.tell(`-${pid}`));
  }

  close(): void {
    this.child?.stdin?.end();
  }

  private tell(line: string): void {
    if (!this.child) {
      // Not of this group: what ends this process must not end the one that cleans up after it.
      this.child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', this.dir], {
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
      });
      this.child.on('error', () => {});
      this.child.stdin?.on('error', () => {});
      this.child.unref();
    }
    this.child.stdin?.write(`${line}\n`);
  }
}
