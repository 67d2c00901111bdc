import { invalidValue } from '../core/causes';
import type { KindRules } from '../core/kind-definition';
import { fieldsOf, numberOf } from '../core/objects';

export const NODE_RULES: KindRules = {
  selected: (object, path) =>
    path === 'spec.unschedulable' ? String(fieldsOf(object, 'spec').unschedulable ?? false) : undefined,
};

export const LEASE_RULES: KindRules = {
  normalize: (object) => ({ ...object, spec: fieldsOf(object, 'spec') }),
  validate: (object, _old, _part, causes) => {
    const seconds = numberOf(object, 'spec', 'leaseDurationSeconds') ?? 1;
    if (seconds <= 0) causes.push(invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0'));
  },
};

export const VOLUME_CLAIM_RULES: KindRules = {
  prepare: (object) => ({
    ...object,
    spec: { volumeMode: 'Filesystem', ...fieldsOf(object, 'spec') },
    // Nothing here makes volumes.
    status: { phase: 'Pending' },
  }),
};

export const QUOTA_RULES: KindRules = { prepare: (object) => ({ ...object, status: {} }) };
