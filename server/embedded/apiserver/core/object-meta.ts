import { type Cause, invalidValue, required, tooLong } from './causes';
import { dnsLabelProblems, labelKeyProblems, subdomainProblems, validateLabels } from './names';
import type { Fields, ObjectMeta, OwnerReference } from './objects';

const ANNOTATIONS_LIMIT = 256 * 1024;

function validateAnnotations(annotations: Fields, causes: Cause[]): void {
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const problem of labelKeyProblems(key.toLowerCase())) {
      causes.push(invalidValue('metadata.annotations', key, problem));
    }
    size += Buffer.byteLength(key) + Buffer.byteLength(String(value));
  }
  if (size > ANNOTATIONS_LIMIT) causes.push(tooLong('metadata.annotations', ANNOTATIONS_LIMIT));
}

export function validateMeta(metadata: ObjectMeta, nameRule: 'subdomain' | 'label' | 'path', causes: Cause[]): void {
  if (metadata.name === '') {
    causes.push(required('metadata.name', 'name or generateName is required'));
  } else if (nameRule === 'path') {
    if (/[/%]/.test(metadata.name))
      causes.push(invalidValue('metadata.name', metadata.name, "may not contain '/' or '%'"));
  } else {
    const problems = nameRule === 'label' ? dnsLabelProblems(metadata.name) : subdomainProblems(metadata.name);
    causes.push(...problems.map((problem) => invalidValue('metadata.name', metadata.name, problem)));
  }
  const { generateName: base } = metadata;
  if (base !== undefined && nameRule === 'subdomain') {
    // What is made of it ends well, whatever it ends with.
    const problems = subdomainProblems(base.replace(/-$/, 'a'));
    causes.push(...problems.map((problem) => invalidValue('metadata.generateName', base, problem)));
  }
  for (const finalizer of metadata.finalizers ?? []) {
    const problems = labelKeyProblems(finalizer);
    causes.push(...problems.map((problem) => invalidValue('metadata.finalizers', finalizer, problem)));
  }
  validateOwners(metadata.ownerReferences ?? [], causes);
  if (metadata.labels !== undefined) validateLabels(metadata.labels, 'metadata.labels', causes);
  if (metadata.annotations !== undefined) validateAnnotations(metadata.annotations, causes);
}

function validateOwners(owners: readonly OwnerReference[], causes: Cause[]): void {
  for (const owner of owners) {
    for (const field of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      if ((owner[field] ?? '') !== '') continue;
      const what = field === 'apiVersion' ? 'version ' : '';
      causes.push(invalidValue(`metadata.ownerReferences.${field}`, '', `${what}must not be empty`));
    }
  }
  const [one, two] = owners.filter(({ controller }) => controller === true);
  if (one === undefined || two === undefined) return;
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${one.kind}/${one.name} and ${two.kind}/${two.name}`;
  causes.push(invalidValue('metadata.ownerReferences', owners, why));
}
