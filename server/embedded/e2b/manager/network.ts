import { isIP } from 'node:net';
import { Refusal } from './answers';
import type { Network } from './requests';

const mostEntries = 100;
const domain = /^(\*\.)?([a-z0-9]([-a-z0-9]*[a-z0-9])?\.)*[a-z0-9]([-a-z0-9]*[a-z0-9])?$/i;

/** The rules of a request as they are kept and shown; undefined when there are none. @throws Refusal 400 */
export function networkRules(network: Network | undefined): Pick<Network, 'allowOut' | 'denyOut'> | undefined {
  const { allowOut = [], denyOut = [] } = network ?? {};
  for (const [field, entries] of Object.entries({ allowOut, denyOut })) {
    if (entries.length > mostEntries) throw new Refusal(400, `${field} cannot have more than ${mostEntries} entries`);
    const wrong = entries.find((entry) => !isAddress(entry));
    if (wrong !== undefined)
      throw new Refusal(400, `invalid ${field} entry: "${wrong}" is not a valid CIDR, IP, or domain`);
  }
  if (allowOut.length + denyOut.length === 0) return undefined;
  return { ...(allowOut.length === 0 ? {} : { allowOut }), ...(denyOut.length === 0 ? {} : { denyOut }) };
}

function isAddress(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  if (bits === undefined) return isIP(entry) !== 0 || domain.test(entry);
  const most = { 4: 32, 6: 128 }[isIP(address)];
  return rest.length === 0 && most !== undefined && /^\d+$/.test(bits) && Number(bits) <= most;
}
