'use client';

import { useTranslations } from 'next-intl';
import { compareImages } from '@/lib/domain/images';
import type { PodReading } from '@/lib/domain/object-readings';
import { ImageText } from './image-text';

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
            <th scope="col">{t('init')}</th>
            <th scope="col">
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
              <tr key={name} className={status === undefined ? undefined : equal ? 'eq' : 'ne'}>
                <td title={name}>{name}</td>
                <td>
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
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
