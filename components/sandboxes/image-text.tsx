import { visibleText } from '@/lib/domain/text';
import { shortDigests } from './short';

/** An image as written, its digest shortened (whole on hover), with places to break at the parts of a reference. */
export function ImageText({ image }: { image: string }) {
  const parts = shortDigests(visibleText(image, 'mark')).split(/(?<=\/)|(?=@)|(?<!sha256)(?=:)/);
  return (
    <bdi title={image}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
        <span key={index}>
          {index > 0 ? <wbr /> : null}
          {part}
        </span>
      ))}
    </bdi>
  );
}
