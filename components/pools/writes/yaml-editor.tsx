'use client';

import { yaml } from '@codemirror/lang-yaml';
import { EditorView } from '@codemirror/view';
import CodeMirror from '@uiw/react-codemirror';
import { useMemo } from 'react';
import './writes.css';

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--bg-surface)', color: 'var(--fg-1)', fontSize: 'var(--t-small)' },
  '&.cm-focused': { outline: 'none', boxShadow: 'inset 0 0 0 2px var(--accent-fg)' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '18px' },
  '.cm-gutters': { backgroundColor: 'var(--bg-code)', color: 'var(--fg-3)', borderRight: '1px solid var(--line-1)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--bg-hover)' },
  '.cm-content': { caretColor: 'var(--fg-1)' },
  '.cm-cursor': { borderLeftColor: 'var(--fg-1)' },
});

/** Loaded only when the YAML view is opened. Tab leaves the editor, so that the keyboard is never caught in it. */
export function YamlEditor({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
}) {
  const extensions = useMemo(
    () => [
      yaml(),
      look,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    ],
    [label],
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
