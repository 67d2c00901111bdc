'use client';

import { python } from '@codemirror/lang-python';
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import CodeMirror from '@uiw/react-codemirror';
import { useEffectEvent, useMemo } from 'react';
import { editorLook } from '../../writes/editor-look';

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--upgrade-fg)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--recycle-fg)' },
  { tag: tags.comment, color: 'var(--fg-3)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--attention-fg)' },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName)), tags.className],
    color: 'var(--info-fg)',
  },
]);

/** Loaded when the form is there. Tab indents, as Python wants it; Escape and then Tab leaves. Mod-Enter submits. */
export function PythonEditor(props: {
  label: string;
  describedBy: string;
  isInvalid: boolean;
  value: string;
  onChange: (code: string) => void;
  onSubmit: () => void;
}) {
  const { label, describedBy, isInvalid } = props;
  const submit = useEffectEvent(() => {
    props.onSubmit();
    return true;
  });
  const extensions = useMemo(
    () => [
      // Before the editor's own key, which opens a line.
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => submit() }])),
      python(),
      indentUnit.of('    '),
      syntaxHighlighting(colours),
      editorLook,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-describedby': describedBy,
        'aria-invalid': String(isInvalid),
      }),
    ],
    [label, describedBy, isInvalid],
  );
  return (
    <CodeMirror
      value={props.value}
      onChange={props.onChange}
      extensions={extensions}
      theme="none"
      minHeight="220px"
      maxHeight="46vh"
      indentWithTab
      basicSetup={{ foldGutter: false, autocompletion: false, syntaxHighlighting: false }}
    />
  );
}
