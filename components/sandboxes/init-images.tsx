'use client';

import { Fragment } from 'react';
import { compareImages } from '@/lib/domain/images';
import type { PodReading } from '@/lib/domain/object-readings';
import { useTranslations } from '@/lib/i18n/use-translations';
import { ImageText } from './image-text';

/** The first column of a comparison is otherwise its labels. */
const likeOthers = 'w-auto! text-fg! [font:var(--t-small)/17px_var(--font-mono)]!';

/** Image asked for and image reported of each init container: what the resume gate compares. */
export function InitImages({ pod }: { pod: PodReading }) {
  const t = useTranslations('sandboxes.images');
  const init = pod.containers.filter(({ kind }) => kind !== 'main');
  if (init.length === 0) return null;
  return (
    <div className="cmp">
      <table>
        <thead>
          <tr>
            <th scope="col" className="w-auto! text-[length:var(--t-micro)]! leading-[15px]! text-muted!">
              {t('spec')} <span className="dim">· spec</span>
            </th>
            <th scope="col">
              {t('status')} <span className="dim">· status</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {init.map(({ name, spec, status }) => {
            const equal = status !== undefined && compareImages(spec, status).equal;
            return (
              <Fragment key={name}>
                <tr className="cap">
                  <td colSpan={2}>{name}</td>
                </tr>
                <tr>
                  <td className={likeOthers}>
                    <ImageText image={spec} />
                  </td>
                  <td>
                    {status === undefined ? (
                      <span className="none">{t('notReported')}</span>
                    ) : equal ? (
                      <ImageText image={status} />
                    ) : (
                      <mark>
                        <ImageText image={status} />
                      </mark>
                    )}
                  </td>
                </tr>
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
