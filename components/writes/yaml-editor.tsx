'use client';

import { yaml } from '@codemirror/lang-yaml';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import CodeMirror from '@uiw/react-codemirror';
import { useMemo } from 'react';
import './writes.css';

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--bg-surface)', color: 'var(--fg-1)', fontSize: 'var(--t-small)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '18px' },
  '.cm-gutters': { backgroundColor: 'var(--bg-code)', color: 'var(--fg-3)', borderRight: '1px solid var(--line-1)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--bg-hover)' },
  '.cm-content': { caretColor: 'var(--fg-1)' },
  '.cm-cursor': { borderLeftColor: 'var(--fg-1)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--bg-raised)',
    color: 'var(--fg-1)',
    border: '1px solid var(--line-2)',
    borderRadius: 'var(--r-2)',
    boxShadow: 'var(--shadow-2)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal', opacity: '.8' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--attention)' },
  // Red means act: a slip in a text is not that.
  '.cm-lint-marker-error': {
    content: 'normal',
    backgroundColor: 'var(--attention)',
    borderRadius: '50%',
    width: '8px',
    height: '8px',
    margin: '5px 3px',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--attention)',
    textUnderlineOffset: '3px',
  },
});
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
      look,
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
