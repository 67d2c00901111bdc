import { SafeText } from './safe-text';

/** Text that is cut in its middle where there is no room: generated names and images differ at their ends. */
export function MiddleCut({ text, tail = 14 }: { text: string; tail?: number }) {
  const at = Math.max(0, text.length - tail);
  return (
    <span className="midcut" title={text}>
      <span>
        <SafeText text={text.slice(0, at)} />
      </span>
      <span>
        <SafeText text={text.slice(at)} />
      </span>
    </span>
  );
}
