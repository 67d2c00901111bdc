import type { PatchFault, PatchFaultCode, PatchFaultValues } from '@/lib/contracts/patch-fault';

const words: { [C in PatchFaultCode]: (values: PatchFaultValues<C>) => string } = {
  notAnObject: ({ got }) => `expected an object, got ${got}`,
  notAList: ({ got }) => `expected a list, got ${got}`,
  notAnItem: ({ got }) => `expected an object, got ${got}`,
  noMergeKey: ({ key }) => `items of this list are told apart by ${key}, which is missing`,
  unknownDirective: ({ got }) => `$patch takes delete or replace, got ${got}`,
  directiveNotAList: ({ got }) => `expected a list, got ${got}`,
  retainLacks: ({ field }) => `${field} is set and not among the keys to retain`,
  notUnited: ({ field }) => `${field} is no list of values that are united`,
  setAndTaken: ({ field }) => `either ${field} or what is taken from it, not both`,
  notPlain: () => 'expected plain values',
  noOrder: ({ field }) => `${field} is replaced and has no order of its own`,
  orderKeys: ({ key }) => `expected objects with ${key}`,
  orderEmpty: () => 'expected at least one item',
  orderPlace: ({ item }) => `${item} is missing, or in another place than in the list`,
  orderOfNothing: () => 'no item is there that could have an order',
  orderUncertain: () => 'an item goes and another comes: where those stand that the order does not name is not certain',
  nothingToMean: () => 'nothing is there that it could mean',
  nullInNew: () => 'nothing is there to be taken away: null would be an empty value',
  directiveInNew: () => 'no such item is there: $patch within it has no meaning',
  wrongType: ({ expected, got }) => `expected ${expected}, got ${got}`,
  unknownField: ({ field, nearest }) =>
    `${field} is no field of a Pod template${nearest === 'none' ? '' : `; did you mean ${nearest}?`}`,
  noContainers: () => 'the result has no container',
  imageGone: () => 'its image is taken away',
  unknownContainer: ({ there }) => `it is not there, and the one to be added has no image; there: ${there}`,
  required: () => 'it must not be empty',
  duplicate: ({ value }) => `${value} stands twice`,
  notAName: ({ value }) => `${value} is no name: lower case letters, digits and hyphens, at most 63`,
  notALabel: ({ value }) => `${value} is no key or value of a label`,
  notAQuantity: ({ value }) => `${value} is no quantity, such as 500m or 1Gi`,
  negative: ({ value }) => `${value} is less than zero`,
  aboveLimit: ({ value, limit }) => `the request ${value} is more than the limit ${limit}`,
  unknownResource: ({ value }) => `${value} is no resource of a container`,
  noVolume: ({ value, there }) => `no volume is called ${value}; there: ${there}`,
  manySources: ({ value }) => `a volume is of one kind; this one has ${value}`,
  valueAndSource: () => 'it has a value and a reference: only one of the two',
  edgeSpace: ({ value }) => `${JSON.stringify(value)} begins or ends with a space`,
  notAPort: ({ value }) => `${value} is no port from 1 to 65535`,
  notOneOf: ({ value, allowed }) => `${value} is none of ${allowed}`,
};

/** A fault with its values and its English sentence. */
export function faultAt<C extends PatchFaultCode>(path: string, code: C, values: PatchFaultValues<C>): PatchFault {
  return { path, code, values, message: words[code](values) };
}

/** What a value is, in the words of YAML; the messages have it in the reader's language. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** `path: message`, as API problems and logs have it. */
export const faultLine = ({ path, message }: PatchFault): string => `${path || 'patch'}: ${message}`;
