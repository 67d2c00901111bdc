import { type Cause, forbidden, required, tooLong, unsupportedValue } from './causes';
import { APPLY } from './patch-body';
import type { ResourceRequest } from './requests';
import { invalid } from './status';

/** What a writer wants of the request besides the object. */
export interface WriteOptions {
  dryRun: boolean;
  fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** Texts for `Warning` headers of the answer. */
  warnings: string[];
}

const isNo = (text: string | null) => text === null || text === '';

/** The options in a query. @throws StatusError 422 for one that there is not */
export function writeOptions({ query, method, body, warnings }: ResourceRequest): WriteOptions {
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  const name = { POST: 'CreateOptions', PUT: 'UpdateOptions', PATCH: 'PatchOptions' }[method] ?? 'DeleteOptions';
  if (dryRun.some((value) => value !== 'All')) {
    throw invalid('meta.k8s.io', name, '', [unsupportedValue('dryRun', dryRun, ['All'])]);
  }
  const validation = query.get('fieldValidation');
  if (!isNo(validation) && validation !== 'Strict' && validation !== 'Warn' && validation !== 'Ignore') {
    throw invalid('meta.k8s.io', name, '', [
      unsupportedValue('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']),
    ]);
  }
  if (method === 'PATCH') checkApplyOptions(query, body.contentType === APPLY);
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: validation === 'Strict' || validation === 'Ignore' ? validation : 'Warn',
    warnings,
  };
}

/** Only an apply may be forced, and it must say whose it is. */
function checkApplyOptions(query: URLSearchParams, isApply: boolean): void {
  const manager = query.get('fieldManager') ?? '';
  const causes: Cause[] = [];
  if (isApply && manager === '') causes.push(required('fieldManager', 'is required for apply patch'));
  if (!isApply && !isNo(query.get('force')))
    causes.push(forbidden('force', 'may not be specified for non-apply patch'));
  if (manager.length > 128) causes.push(tooLong('fieldManager', 128));
  if (causes.length > 0) throw invalid('meta.k8s.io', 'PatchOptions', '', causes);
}
