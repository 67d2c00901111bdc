import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { fieldsAt } from '@/lib/domain/upgrades/pod-fields';
import type { TemplateNames } from './template-names';
import { yamlPlace } from './yaml-place';

/** Values that a field can have whatever the template. */
const fixedValues: Readonly<Record<string, readonly string[]>> = {
  $patch: ['delete', 'replace'],
  imagePullPolicy: ['IfNotPresent', 'Always', 'Never'],
  protocol: ['TCP', 'UDP', 'SCTP'],
  restartPolicy: ['Always'],
  readOnly: ['true', 'false'],
  optional: ['true', 'false'],
};

/** What can stand at a position: field names of Pod templates, and the names that the sandboxes' templates have. */
export function completionsAt(text: string, position: number, names: TemplateNames) {
  const { path, key, word, from } = yamlPlace(text, position);
  if (key !== undefined) {
    const options = [...(names.get(`${path.join('/')}:${key}`) ?? []), ...(fixedValues[key] ?? [])];
    return { from, word, options: options.map((label) => ({ label, apply: label })) };
  }
  // A bare list item begins with the field that tells it from the others.
  const fields = fieldsAt(path);
  return { from, word, options: fields.map((label) => ({ label, apply: `${label}: ` })) };
}

/** Completion while typing; Ctrl-Space asks for it. */
export function patchCompletion(names: TemplateNames): Extension {
  return autocompletion({
    override: [
      (context: CompletionContext): CompletionResult | null => {
        const { from, word, options } = completionsAt(context.state.doc.toString(), context.pos, names);
        if (options.length === 0 || (word === '' && !context.explicit)) return null;
        return { from, options };
      },
    ],
  });
}
