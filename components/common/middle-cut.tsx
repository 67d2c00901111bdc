import { SafeText } from './safe-text';

/** As much as generated endings and tags of images take; a longer one would leave nothing of what a name begins with. */
const tail = 10;

/** Text that is cut in its middle where there is no room: generated names and images differ at their ends. */
export function MiddleCut({ text }: { text: string }) {
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
