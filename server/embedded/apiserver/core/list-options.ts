import { type Cause, forbidden, invalidValue, unsupportedValue } from './causes';
import { badRequest, invalid, StatusError } from './status';

const MATCH = 'resourceVersionMatch';
const only = (why: string) => forbidden(MATCH, `${MATCH} is forbidden ${why}`);

/** Refuses options of a list or a watch that do not go together (apimachinery's ValidateListOptions). */
export function checkListOptions(query: URLSearchParams, isWatch: boolean): void {
  const match = query.get(MATCH) ?? '';
  const token = query.get('continue') ?? '';
  const sendInitialEvents = sendInitialEventsIn(query);
  const causes: Cause[] = [];
  if (isWatch) {
    if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
      causes.push(forbidden(MATCH, `sendInitialEvents requires setting ${MATCH} to NotOlderThan`));
    }
    if (match !== '' && sendInitialEvents === undefined)
      causes.push(only('for watch unless sendInitialEvents is provided'));
    if (match !== '' && match !== 'NotOlderThan') causes.push(unsupportedValue(MATCH, match, ['NotOlderThan']));
    if (token !== '') causes.push(only('when continue is provided'));
  } else {
    const version = query.get('resourceVersion') ?? '';
    if (match !== '' && version === '') causes.push(only('unless resourceVersion is provided'));
    if (match !== '' && token !== '') causes.push(only('when continue is provided'));
    if (match !== '' && match !== 'Exact' && match !== 'NotOlderThan') {
      causes.push(unsupportedValue(MATCH, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && version === '0') {
      causes.push(forbidden(MATCH, `${MATCH} "exact" is forbidden for resourceVersion "0"`));
    }
    if (sendInitialEvents !== undefined) {
      causes.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
    }
  }
  if (causes.length > 0) throw invalid('meta.k8s.io', 'ListOptions', '', causes);
}

/** Anything but a no is a yes, as for every option of a query. */
export const isTrue = (text: string | null): boolean => text !== null && !/^(0|false)$/i.test(text);

/** Whether initial events are asked for; undefined where nothing is said. */
export function sendInitialEventsIn(query: URLSearchParams): boolean | undefined {
  const text = query.get('sendInitialEvents');
  return text === null ? undefined : isTrue(text);
}

/** The resourceVersion of a query; undefined where there is none. */
export function versionIn(query: URLSearchParams, refuse: (cause: Cause) => Error): number | undefined {
  const text = query.get('resourceVersion');
  if (text === null || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw refuse(
    invalidValue('resourceVersion', text, `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`),
  );
}

/** A list is refused in other words than a read. */
export const invalidListVersion = ({ field, message }: Cause) =>
  badRequest(`invalid resource version: ${field}: ${message}`);

/** What a read and a watch say of a version that is no number. */
export const invalidVersion = ({ field, message }: Cause) => new StatusError(500, `${field}: ${message}`);
