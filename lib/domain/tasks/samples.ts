/** Something to begin with. They need no network, no packages and no other process: every Python image runs them. */
export const sampleNames = ['hello', 'progress', 'files', 'fails'] as const;
export type SampleName = (typeof sampleNames)[number];

const hello = `import os
import platform
import sys

print("Hello from", platform.node() or "the sandbox")
print("Python", sys.version.split()[0], "on", platform.platform())
print("Folder", os.getcwd(), sorted(os.listdir()))
`;

const progress = `# Primes up to a limit, with a bar that is drawn over itself.
import sys

LIMIT = 60_000
primes = []
for number in range(2, LIMIT + 1):
    if all(number % prime for prime in primes if prime * prime <= number):
        primes.append(number)
    if number % (LIMIT // 40) == 0:
        done = number * 40 // LIMIT
        bar = "#" * done + "." * (40 - done)
        print(f"\\r\\033[36m{bar}\\033[0m {done * 100 // 40:>3} %", end="", file=sys.stderr, flush=True)
print(file=sys.stderr)
print(f"{len(primes):,} primes up to {LIMIT:,}, the last one {primes[-1]:,}")
`;

const files = `# Totals per region, largest first: sales.csv in, totals.json out.
import collections
import csv
import json

total = collections.Counter()
with open("sales.csv", newline="") as source:
    for row in csv.DictReader(source):
        total[row["region"]] += int(row["amount"])

for region, amount in total.most_common():
    print(f"{region:<8}{amount:>6}")
with open("totals.json", "w") as target:
    json.dump(dict(total.most_common()), target, indent=2)
`;

const sales = `region,amount
East,120
West,95
North,60
East,80
`;

const fails = `# Ends with an exit code that is not 0.
import sys

print("Everything is fine so far.")
print("\\033[31mNow it is not.\\033[0m", file=sys.stderr)
raise SystemExit(3)
`;

export const samples: Record<SampleName, { code: string; files: readonly { name: string; text: string }[] }> = {
  hello: { code: hello, files: [] },
  progress: { code: progress, files: [] },
  files: { code: files, files: [{ name: 'sales.csv', text: sales }] },
  fails: { code: fails, files: [] },
};
