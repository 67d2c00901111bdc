// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are of the shell.
import { Sandbox } from 'e2b';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Door, startDoor } from '../testing';

let door: Door;
let sandbox: Sandbox;

beforeAll(async () => {
  door = await startDoor();
  sandbox = await Sandbox.create('python', { apiKey: 'any', apiUrl: door.url, sandboxUrl: door.url });
  await sandbox.files.write('/home/user/fruit.txt', 'pear\napple\nfig\napple\n');
  await sandbox.files.write('/home/user/dir/deep/b.txt', 'b');
});
afterAll(() => door.close());

async function run(command: string) {
  const result = await sandbox.commands.run(command, { timeoutMs: 50_000 }).catch((error) => {
    if (error?.name !== 'CommandExitError') throw error;
    return error;
  });
  return { exitCode: result.exitCode as number, stdout: result.stdout as string, stderr: result.stderr as string };
}

/** What bash 5.2 with the programs of GNU writes for the same. */
describe.concurrent('commands write what they do on a real machine', { timeout: 60_000 }, () => {
  it.each([
    // Words
    [`echo 'a  b'  "c  d" e\\ f`, 'a  b c  d e f\n'],
    ['x="a  b"; echo $x "$x" ${x}y ${none:-other} ${#x} ${x#a} ${x%b}.', 'a b a  b a by other 4 b a .\n'],
    ['f=/a/b.tar.gz; echo ${f##*/} ${f%%.*} ${f%/*} ${f/tar/zip} ${f:1:3}', 'b.tar.gz /a/b /a /a/b.zip.gz a/b\n'],
    ['x=Hello; echo ${x^^} ${x,,}', 'HELLO hello\n'],
    ['echo a{1..3} {x,y}z', 'a1 a2 a3 xz yz\n'],
    ['echo *.txt none*.x "*.txt" dir/*/b.*', 'fruit.txt none*.x *.txt dir/deep/b.txt\n'],
    ['echo $(echo one; echo two) "$(printf "a\\n\\n")"', 'one two a\n'],
    ['echo $((1 + 2 * 3)) $(( (1<<4) % 7 )) $((5 > 3 && 2 == 2))', '7 2 1\n'],
    ['i=1; ((i++)); ((i+=5)); echo $i; echo ~ ~/x', '7\n/home/user /home/user/x\n'],
    ['echo "界🙂 ${#HOME}"; x=界🙂; echo ${#x}', '界🙂 10\n2\n'],
    // Control
    ['true && echo a || echo b; false && echo a || echo b; ! true; echo $?', 'a\nb\n1\n'],
    ['if [ -f fruit.txt ] && [[ abc == a* ]]; then echo yes; elif true; then echo no; else echo never; fi', 'yes\n'],
    ['for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done; for ((j=0;j<2;j++)); do echo $j; done', '1\n3\n0\n1\n'],
    ['i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; until false; do break; done; echo $i', '3\n'],
    ['case abc in x|y) echo no;; a*) echo yes;; esac', 'yes\n'],
    ['f() { local x=in; echo $1 $# $x; return 3; }; x=out; f a b; echo $? $x', 'a 2 in\n3 out\n'],
    ['(cd /tmp; x=1; pwd); pwd; echo "[$x]"; { echo group; }', '/tmp\n/home/user\n[]\ngroup\n'],
    ['set -e; false || true; echo on; false; echo never', 'on\n'],
    ['while read -r a b; do echo "$b:$a"; done <<EOF\n1 2 3\n4 5\nEOF', '2 3:1\n5:4\n'],
    // Redirections
    [
      'echo out > /tmp/r1; echo more >> /tmp/r1; cat < /tmp/r1; ls none 2>/dev/null; ls none 2>&1',
      "out\nmore\nls: cannot access 'none': No such file or directory\n",
    ],
    ['cat <<EOF\n$((1+1)) $HOME\nEOF\ncat <<"EOF"\n$HOME\nEOF\ncat <<< here', '2 /home/user\n$HOME\nhere\n'],
    ['{ echo a; echo b >&2; } > /tmp/r2 2>&1; cat /tmp/r2; echo x &> /tmp/r3; cat /tmp/r3', 'a\nb\nx\n'],
    // Programs
    ['sort fruit.txt | uniq -c | sort -rn | head -1', '      2 apple\n'],
    [
      'wc -l < fruit.txt; wc fruit.txt; grep -n p fruit.txt; grep -vc p fruit.txt; grep -i "^AP" fruit.txt | wc -l',
      '4\n 4  4 21 fruit.txt\n1:pear\n2:apple\n4:apple\n1\n2\n',
    ],
    [
      'head -n 2 fruit.txt; tail -n 1 fruit.txt; tail -n +4 fruit.txt; head -c 3 fruit.txt',
      'pear\napple\napple\napple\npea',
    ],
    [
      'echo a:b:c | cut -d: -f2-; echo abc | tr a-c A-C; echo aabb | tr -s ab; echo "a b" | tr -d " "',
      'b:c\nABC\nab\nab\n',
    ],
    [
      'mkdir -p m/n && touch m/n/f && cp -r m m2 && mv m2/n/f m2/g && ls m2 m2/n && rm -r m m2; ls -d m 2>&1',
      "m2:\ng\nn\n\nm2/n:\nls: cannot access 'm': No such file or directory\n",
    ],
    ['printf "%s=%03d|%-4s|%x\\n" a 5 b 255 c 6 d 16', 'a=005|b   |ff\nc=006|d   |10\n'],
    ['echo -n x; echo -e "a\\tb\\x41\\101"; printf "\\u754c\\n"', 'xa\tbAA\n界\n'],
    ['seq 3 | paste 2>/dev/null; seq 1 2 5; basename /a/b.c .c; dirname /a/b', '1\n3\n5\nb\n/a\n'],
    ['echo data | tee /tmp/t1 > /dev/null; cat /tmp/t1; env A=2 printenv A; A=3 printenv A', 'data\n2\n3\n'],
    [
      'which ls nothing-here; command -v cd; type echo; whoami; id -u',
      '/usr/bin/ls\ncd\necho is a shell builtin\nuser\n1000\n',
    ],
    ['timeout 0.05 sleep 5; echo $?; sleep 0.01 & wait; echo $?; sleep 9 & kill $!; wait $!; echo $?', '124\n0\n143\n'],
    [
      "printf '#!/bin/bash\\necho script $1\\n' > s.sh; chmod +x s.sh; ./s.sh arg; bash s.sh x; sh -c 'echo $0 $1' a b",
      'script arg\nscript x\na b\n',
    ],
    ['echo one > q; . ./none 2>/dev/null; echo "x=5" > v; source ./v; echo $x; eval "echo e$x"', '5\ne5\n'],
    ['set -o pipefail; false | true; echo $?; seq 100000 | head -1; echo $((0))', '1\n1\n0\n'],
    ['date +%Y | wc -c; test 5 -gt 3 -a -d dir; echo $?; [ "$none" ]; echo $?', '5\n0\n1\n'],
  ])('%s', async (command, stdout) => {
    expect((await run(command)).stdout).toBe(stdout);
  });

  it.each([
    ['nonsense --flag', 127, '/bin/bash: line 1: nonsense: command not found\n'],
    ['echo ok\n\nconstructor', 127, '/bin/bash: line 3: constructor: command not found\n'],
    ['./fruit.txt', 126, '/bin/bash: line 1: ./fruit.txt: Permission denied\n'],
    ['cat none', 1, 'cat: none: No such file or directory\n'],
    ['cd none', 1, '/bin/bash: line 1: cd: none: No such file or directory\n'],
    ['echo x > none/y', 1, '/bin/bash: line 1: none/y: No such file or directory\n'],
    ['ls -Z', 2, "ls: invalid option -- 'Z'\nTry 'ls --help' for more information.\n"],
    ['mkdir dir', 1, "mkdir: cannot create directory 'dir': File exists\n"],
    ['rm dir', 1, "rm: cannot remove 'dir': Is a directory\n"],
    ['if true; then echo', 2, '/bin/bash: -c: line 2: syntax error: unexpected end of file\n'],
    ['echo )', 2, "/bin/bash: -c: line 1: syntax error near unexpected token `)'\n/bin/bash: -c: line 1: `echo )'\n"],
    ["echo 'open", 2, "/bin/bash: -c: line 1: unexpected EOF while looking for matching `''\n"],
    ['diff <(ls) x; echo never', 2, '/bin/bash: line 1: process substitution: not available in this sandbox\n'],
    ['a=(1 2); echo never', 2, '/bin/bash: line 1: arrays: not available in this sandbox\n'],
    ['echo $((1/0))', 1, '/bin/bash: line 1: division by 0\n'],
    ['exit 7; echo never', 7, ''],
    ['kill 99999', 1, '/bin/bash: line 1: kill: (99999) - No such process\n'],
  ])('%s', async (command, exitCode, stderr) => {
    expect(await run(command)).toMatchObject({ exitCode, stderr });
    expect((await run(command)).stdout).not.toContain('never');
  });

  it('a file of a sandbox cannot be outside of it', async () => {
    const shown = await run('cat ../../../../../../etc/hostname /etc/passwd; ls ../../../..; cd /..; pwd');
    expect(shown.stderr).toBe(
      'cat: ../../../../../../etc/hostname: No such file or directory\ncat: /etc/passwd: No such file or directory\n',
    );
    expect(shown.stdout).toBe('home\nroot\ntmp\nvar\n/\n');
  });
});

describe('a command that has no end', { timeout: 60_000 }, () => {
  it('lets others work, and is killed', async () => {
    const handle = await sandbox.commands.run('while true; do :; done', { background: true });
    expect((await run('echo still here')).stdout).toBe('still here\n');
    expect(await handle.kill()).toBe(true);
    await expect(handle.wait()).rejects.toMatchObject({ exitCode: -1 });
  });

  it('waits for a reader that is slow instead of filling memory', async () => {
    const headers = {
      'content-type': 'application/connect+json',
      'x-access-token': 'token-of-this-sandbox',
      authorization: 'Basic dXNlcjo=',
      'e2b-sandbox-id': sandbox.sandboxId,
    };
    const message = Buffer.from(
      JSON.stringify({
        process: {
          cmd: '/bin/bash',
          args: ['-c', 'while true; do echo 0123456789012345678901234567890123456789; done'],
        },
      }),
    );
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    const before = process.memoryUsage().rss;
    const unread = await fetch(`${door.url}/process.Process/Start`, {
      method: 'POST',
      headers,
      body: Buffer.concat([head, message]),
    });
    await run('sleep 1');
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    await unread.body?.cancel();
    await run('pkill -f 0123456789');
  });

  it('is refused when there are too many', async () => {
    const many = await Sandbox.create('python', { apiKey: 'any', apiUrl: door.url, sandboxUrl: door.url });
    const bomb = await many.commands.run('f() { f | f & }; f; for i in $(seq 200); do sleep 30 & done; echo done', {
      background: true,
      timeoutMs: 10_000,
    });
    await vi.waitFor(async () => expect(bomb.stderr).toContain('Resource temporarily unavailable'), {
      timeout: 10_000,
    });
    // Others go on.
    expect((await run('echo fine')).stdout).toBe('fine\n');
    await door.runtimes.kill(many.sandboxId);
    await expect(bomb.wait()).rejects.toThrow();
  });

  it.each([
    ['a variable that doubles', 'x=ab; while true; do x=$x$x; done'],
    ['many variables', 'x=$(printf "%01000d" {1..1000}); while true; do i=$((i+1)); eval "v$i=\\$x"; done'],
    ['many functions', 'x=$(printf "%01000d" {1..1000}); while true; do i=$((i+1)); eval "f$i() { echo $x; }"; done'],
    ['long names', 'x=$(printf "v%01000d" {1..100}); while true; do i=$((i+1)); eval "$x$i="; done'],
    ['one word', 'x=$(printf "%01000d" {1..1000}); x=$x$x$x$x$x$x$x$x; echo $x$x$x > /dev/null; echo never'],
    ['words', 'echo {1..100000}{1..100000}; echo never'],
  ])('may not fill the memory of the machine: %s', async (_, command) => {
    const { exitCode, stdout, stderr } = await run(command);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/annot allocate memory|too many words/),
    });
  });

  it('ends with its sandbox, and its client sees a broken connection', async () => {
    const other = await Sandbox.create('python', { apiKey: 'any', apiUrl: door.url, sandboxUrl: door.url });
    const handle = await other.commands.run('echo begin; sleep 60', { background: true });
    await vi.waitFor(() => expect(handle.stdout).toBe('begin\n'));
    await door.runtimes.kill(other.sandboxId);
    await expect(handle.wait()).rejects.toMatchObject({ message: expect.stringContaining('terminated') });
  });

  it('may be a regular expression that takes for ever', async () => {
    const line = `${'a'.repeat(40)}b`;
    const result = await run(`echo ${line} | grep -E '^(a+)+$'`);
    expect(result).toMatchObject({ exitCode: 1, stderr: 'grep: the pattern takes too long\n' });
  });
});
