'use client';

import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { useMemo } from 'react';
import type { TemplateGroup } from '@/lib/contracts/upgrade-preview';
import { parsePatchYaml } from '@/lib/domain/upgrades/patch-yaml';
import { YamlEditor } from '../../writes/yaml-editor';
import { patchCompletion } from './patch-completion';
import { usePatchProblemText } from './patch-problem-text';
import { templateNames } from './template-names';

/** The patch as YAML: completion from the templates it will meet, marks where it is not right. Loaded when it is opened. */
export function PatchEditor(props: {
  label: string;
  value: string;
  groups: readonly TemplateGroup[];
  onChange: (text: string) => void;
}) {
  const say = usePatchProblemText();
  // Groups are read again every few seconds; only other names make other extensions.
  const names = JSON.stringify([...templateNames(props.groups)]);
  const extra = useMemo(
    () => [
      patchCompletion(new Map(JSON.parse(names))),
      lintGutter(),
      linter(
        (view): Diagnostic[] => {
          const { doc } = view.state;
          const read = parsePatchYaml(doc.toString());
          if (!('problems' in read) || doc.toString().trim() === '') return [];
          return read.problems.map((problem) => {
            const line = doc.line(Math.min(Math.max(1, problem.line ?? 1), doc.lines));
            const from = Math.min(line.from + Math.max(0, (problem.column ?? 1) - 1), line.to);
            return { from, to: line.to, severity: 'error', message: say(problem) };
          });
        },
        { delay: 250 },
      ),
    ],
    [names, say],
  );
  return <YamlEditor label={props.label} value={props.value} onChange={props.onChange} extra={extra} />;
}
