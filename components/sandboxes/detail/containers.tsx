'use client';

import type { ReactNode } from 'react';
import { SafeText } from '@/components/common';
import { ScrollArea, Tag } from '@/components/ui';
import type { ObjectReply } from '@/lib/contracts/objects';
import { compareImages } from '@/lib/domain/images';
import type { PodReading } from '@/lib/domain/object-readings';
import { askedContainers, type ComparedContainer, compareAsked } from '@/lib/domain/sandbox-asks';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { ImageText } from '../image-text';

/** Containers, init ones first, of the template alone where there is no Pod: the image that the Sandbox asks for, that of the Pod's spec, and the one reported. */
export function Containers({ pod, reply: { object, template } }: { pod: PodReading | undefined; reply: ObjectReply }) {
  const asked = askedContainers(object) ?? (template ? askedContainers(template) : undefined) ?? [];
  const t = useTranslations('sandboxes.detail.containers');
  const compared = pod
    ? compareAsked(pod, asked)
    : asked.map(({ name, kind, image }) => ({ name, kind, asked: image }));
  if (compared.length === 0) return null;
  return (
    <ScrollArea className="scroll" label={t('label')}>
      <table className="tbl [&>tbody>tr:last-child>td]:border-0">
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col">{t('asked')}</th>
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
          {compared.map((container: ComparedContainer) => (
            <Container key={`${container.kind}/${container.name}`} container={container} hasPod={pod !== undefined} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function Container({ container, hasPod }: { container: ComparedContainer; hasPod: boolean }) {
  const t = useTranslations('sandboxes.detail.containers');
  const f = useFormats();
  const now = useNow();
  const { name, kind, asked, spec, status, at, restarts } = container;
  const comparison = spec === undefined || status === undefined ? undefined : compareImages(spec, status);
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
      <ImageCell image={asked}>
        {!hasPod || asked === undefined || asked === spec ? null : (
          <Tag>{t(spec === undefined ? 'notInPod' : 'podDiffers')}</Tag>
        )}
      </ImageCell>
      <ImageCell image={spec} />
      <ImageCell image={status} look={differs ? marked : 'mut'}>
        {differs ? <Tag tone="breach">{t(comparison.never ? 'never' : 'differs')}</Tag> : null}
      </ImageCell>
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

const marked = 'text-breach-fg underline decoration-[1.5px] underline-offset-3';

function ImageCell({ image, look, children }: { image: string | undefined; look?: string; children?: ReactNode }) {
  return (
    <td className="mono max-w-[320px] whitespace-normal! py-[6px]!">
      {image === undefined ? (
        <span className="dim">–</span>
      ) : (
        <span className={look}>
          <ImageText image={image} />
        </span>
      )}
      {children ? <span className="mt-1 flex">{children}</span> : null}
    </td>
  );
}

/** State in Kubernetes' own words, with its reason and message. */
function ContainerState({ container }: { container: ComparedContainer }) {
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
