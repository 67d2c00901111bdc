/** In place of the editor: CodeMirror measures text, which jsdom cannot; what matters in tests is the text. */
export function YamlEditor(props: { label: string; value: string; onChange: (text: string) => void }) {
  return (
    <textarea aria-label={props.label} value={props.value} onChange={(event) => props.onChange(event.target.value)} />
  );
}
