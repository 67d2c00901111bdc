'use client';

import { compareImages, type ImageReference, type ImageSide } from '@/lib/domain/images';
import { useTranslations } from '@/lib/i18n/use-translations';
import { ImageText } from '../sandboxes/image-text';

const parts = ['registry', 'repository', 'tag', 'digest'] as const;

/** Two image names as written and as the controller reads them, part by part; what differs is marked. */
export function ImageComparison({ spec, status }: { spec: string; status: string }) {
  const t = useTranslations('stuck.compare');
  const comparison = compareImages(spec, status);
  const readable = comparison.spec.reference !== undefined || comparison.status.reference !== undefined;
  return (
    <div className="cmp">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="vh">{t('part')}</span>
            </th>
            <th scope="col">
              {t('spec')} <span className="dim">· spec</span>
            </th>
            <th scope="col">
              {t('status')} <span className="dim">· status</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{t('written')}</td>
            <td>
              <ImageText image={spec} />
            </td>
            <td>
              <ImageText image={status} />
            </td>
          </tr>
          <tr>
            <td>{t('is')}</td>
            <td className="font-sans!">{t(`kind.${kindOf(comparison.spec)}`)}</td>
            <td className="font-sans!">{t(`kind.${kindOf(comparison.status)}`)}</td>
          </tr>
          {readable ? (
            <>
              <tr className="cap">
                <td colSpan={3}>{t('readAs')}</td>
              </tr>
              {parts.map((part) => {
                const differs = comparison.differs.includes(part);
                return (
                  <tr key={part} className={differs ? 'ne' : 'eq'}>
                    <td>{t(`parts.${part}`)}</td>
                    <td>
                      <Part reference={comparison.spec.reference} part={part} />
                    </td>
                    <td>
                      <Part reference={comparison.status.reference} part={part} marked={differs} />
                    </td>
                  </tr>
                );
              })}
            </>
          ) : null}
        </tbody>
      </table>
    </div>
  );
}

/** What kind of identifier a name is: they can be compared only with their like. */
export function kindOf(side: ImageSide): 'id' | 'tagAndDigest' | 'digest' | 'tag' | 'untagged' | 'unparsable' {
  if (side.kind === 'image-id') return 'id';
  const { reference } = side;
  if (!reference) return 'unparsable';
  if (reference.digest !== undefined) return reference.tag === undefined ? 'digest' : 'tagAndDigest';
  return reference.added.includes('tag') ? 'untagged' : 'tag';
}

function Part({
  reference,
  part,
  marked = false,
}: {
  reference: ImageReference | undefined;
  part: (typeof parts)[number];
  marked?: boolean;
}) {
  const t = useTranslations('stuck.compare');
  const value = reference?.[part];
  const added = reference?.added.includes(part === 'repository' ? 'library' : (part as 'registry' | 'tag')) ?? false;
  const text = value === undefined ? <span className="none">{t('none')}</span> : <ImageText image={value} />;
  return (
    <>
      {marked ? <mark>{text}</mark> : text}
      {added ? <span className="none"> {t('added')}</span> : null}
    </>
  );
}
