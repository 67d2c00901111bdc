'use client';

import { yaml } from '@codemirror/lang-yaml';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import CodeMirror from '@uiw/react-codemirror';
import { useMemo } from 'react';
import { editorLook } from './editor-look';
import './writes.css';

const nothing: readonly Extension[] = [];

/** Loaded only when the YAML view is opened. Tab leaves the editor, so that the keyboard is never caught in it. */
export function YamlEditor({
  label,
  value,
  onChange,
  extra = nothing,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** What this text can have besides: completion, marks. Keep it the same while nothing of it changes. */
  extra?: readonly Extension[];
}) {
  const extensions = useMemo(
    () => [
      yaml(),
      editorLook,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      ...extra,
    ],
    [label, extra],
  );
  return (
    <div className="write-editor">
      <CodeMirror
        value={value}
        onChange={onChange}
        extensions={extensions}
        theme="none"
        height="min(60vh, 560px)"
        indentWithTab={false}
        basicSetup={{ foldGutter: false, autocompletion: false, syntaxHighlighting: false }}
      />
    </div>
  );
}
