import { visibleText } from '@/lib/domain/text';
import { CodeBlock } from '../ui/code';
import { CopyButton } from '../ui/copy-button';

/** An object as text, with what it is and a button that copies it. */
export function CodePane({ text, label, hint, copy }: { text: string; label: string; hint: string; copy: string }) {
  return (
    <>
      <div className="row px-[var(--gutter)] py-2">
        <span className="sm dim">{hint}</span>
        <span className="end">
          <CopyButton text={text} label={copy}>
            {copy}
          </CopyButton>
        </span>
      </div>
      <CodeBlock text={visibleText(text)} label={label} />
    </>
  );
}
