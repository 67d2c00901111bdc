import { EditorView } from '@codemirror/view';

/** The look of every editor, in both themes. */
export const editorLook = EditorView.theme({
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
