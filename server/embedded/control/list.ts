import { z } from 'zod';
import { groups } from '../faults/fault';
import { faultKinds } from '../faults/index';
import { scenarios } from '../scenarios/index';
import { impossibleTraps, trapScenarios } from '../scenarios/traps/index';

const row = (name: string, text: string) => `  ${name.padEnd(26)} ${text}\n`;

/** ` {ms, share}`: what a fault takes. Which values they have, the control door says. */
function parametersOf(params: z.ZodType): string {
  const names = Object.keys(z.toJSONSchema(params, { io: 'input' }).properties ?? {});
  return names.length === 0 ? '' : ` {${names.join(', ')}}`;
}

/** What there is to start, grouped, as `--list` prints it. */
export function listing(): string {
  let text = 'Scenarios of the whole cluster\n\n';
  for (const [name, { title }] of Object.entries(scenarios)) text += row(name, title);
  for (const [group, title] of Object.entries(groups)) {
    text += `\n${title}\n\n`;
    for (const [name, one] of Object.entries(trapScenarios))
      if (one.group === group) text += row(name, `${one.title} (${Object.keys(one.traps).join(', ')})`);
    for (const [name, one] of Object.entries(faultKinds))
      if (one.group === group) text += row(name, `fault: ${one.title}${parametersOf(one.params)}`);
  }
  text += '\nTraps that cannot exist here\n\n';
  for (const [trap, why] of Object.entries(impossibleTraps)) text += row(trap, why);
  text += '\nT1, T2, …: traps of the controllers; lib/domain/diagnosis/traps.ts says how each is found\n';
  return text;
}
