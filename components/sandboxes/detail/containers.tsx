'use client';

import { SafeText } from '@/components/common';
import { Tag } from '@/components/ui';
import { compareImages } from '@/lib/domain/images';
import type { ContainerReading, PodReading } from '@/lib/domain/object-readings';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { ImageText } from '../image-text';

/** Containers of the Pod, init ones first, with the image asked for beside the image reported. */
export function Containers({ pod }: { pod: PodReading }) {
  const t = useTranslations('sandboxes.detail.containers');
  return (
    // A scroll area has to be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="scroll" aria-label={t('label')} tabIndex={0}>
      <table className="tbl [&>tbody>tr:last-child>td]:border-0">
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col">{t('spec')}</th>
            <th scope="col">{t('status')}</th>
            <th scope="col">{t('state')}</th>
            <th scope="col" className="num">
              {t('since')}
            </th>
            <th scope="col" className="num">
              {t('restarts')}
            </th>
          </tr>
        </thead>
        <tbody>
          {pod.containers.map((container) => (
            <Container key={`${container.kind}/${container.name}`} container={container} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Container({ container }: { container: ContainerReading }) {
  const t = useTranslations('sandboxes.detail.containers');
  const f = useFormats();
  const now = useNow();
  const { name, kind, spec, status, at, restarts } = container;
  const comparison = status === undefined ? undefined : compareImages(spec, status);
  // Main containers are not compared by the controller: a difference there means nothing (domain 4.5).
  const differs = kind !== 'main' && comparison?.equal === false;
  return (
    <tr>
      <td>
        <span className="mono">
          <SafeText text={name} />
        </span>{' '}
        {kind === 'main' ? null : <span className="dim sm">{t(`kind.${kind}`)}</span>}
      </td>
      <td className="mono max-w-[320px] whitespace-normal! py-[6px]!">
        <ImageText image={spec} />
      </td>
      <td className="mono max-w-[320px] whitespace-normal! py-[6px]!">
        {status === undefined ? (
          <span className="dim">–</span>
        ) : (
          <span className={differs ? 'text-breach-fg underline decoration-[1.5px] underline-offset-3' : 'mut'}>
            <ImageText image={status} />
          </span>
        )}
        {differs ? (
          <span className="mt-1 flex">
            <Tag tone="breach">{t(comparison.never ? 'never' : 'differs')}</Tag>
          </span>
        ) : null}
      </td>
      <td>
        <ContainerState container={container} />
      </td>
      <td className="num" title={at === undefined ? undefined : f.exact(at)}>
        {at === undefined ? '–' : f.duration(Math.max(0, now - at))}
      </td>
      <td className="num">{restarts === undefined ? '–' : f.number(restarts)}</td>
    </tr>
  );
}

/** State in Kubernetes' own words, with its reason and message. */
function ContainerState({ container }: { container: ContainerReading }) {
  const t = useTranslations('sandboxes.detail.containers');
  const { state, reason, message, exitCode, ready } = container;
  if (state === undefined) return <span className="dim">–</span>;
  const waits = state === 'waiting' || (state === 'terminated' && exitCode !== 0);
  return (
    <span title={message} className={waits ? undefined : 'mut'}>
      {t(`stateIs.${state}`)}
      {reason ? (
        <>
          {' · '}
          <SafeText text={reason} />
        </>
      ) : null}
      {exitCode === undefined || exitCode === 0 ? null : ` · ${t('exit', { code: exitCode })}`}
      {state === 'running' && ready === false ? ` · ${t('notReady')}` : null}
    </span>
  );
}
