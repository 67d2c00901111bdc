'use client';

import { SafeText } from '@/components/common';
import type { ObjectReply } from '@/lib/contracts/objects';
import { type PodReading, readPod, type SandboxReading } from '@/lib/domain/object-readings';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useNow } from '@/lib/live';
import { shortUid } from './short';

/** The Pod there is now, and the one the status still names when that is another (domain 1.2: podInfo is not cleared). */
export function Pods({ reply, sandbox }: { reply: ObjectReply; sandbox: SandboxReading }) {
  const t = useTranslations('sandboxes.pods');
  const f = useFormats();
  const now = useNow();
  const pod = reply.pod && readPod(reply.pod);
  const former = sandbox.podUid !== undefined && sandbox.podUid !== pod?.uid ? sandbox.podUid : undefined;
  const pause = sandbox.conditions.find(({ type, status }) => type === 'SandboxPaused' && status === 'True');
  if (!pod && former === undefined) return <p className="sm dim">{t('none')}</p>;
  return (
    <table className="sm w-full border-separate border-spacing-0 [&_td]:px-0 [&_td]:py-[3px] [&_td:not(:last-child)]:pr-[10px]">
      <tbody>
        {pod ? (
          <tr>
            <td className="mono" title={pod.uid}>
              {shortUid(pod.uid)}
            </td>
            <td className="mut">
              <PodState pod={pod} />
            </td>
            <td className="num" title={pod.created === undefined ? undefined : f.exact(pod.created)}>
              {pod.created === undefined ? '–' : f.duration(Math.max(0, now - pod.created))}
            </td>
          </tr>
        ) : null}
        {former === undefined ? null : (
          <tr className="dim">
            <td className="mono" title={former}>
              {shortUid(former)}
            </td>
            <td>{pause ? t('deletedByPause') : t('gone')}</td>
            <td className="num" title={pause?.at === undefined ? undefined : f.exact(pause.at)}>
              {pause?.at === undefined ? '–' : f.duration(Math.max(0, now - pause.at))}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** `Running, 2/2 ready`; a Pod marked for deletion says so first. */
export function PodState({ pod }: { pod: PodReading }) {
  const t = useTranslations('sandboxes.pods');
  const counted = pod.containers.filter(({ kind }) => kind !== 'init');
  const ready = counted.filter((container) => container.ready).length;
  const phase = pod.deleting === undefined ? (pod.phase ?? t('noPhase')) : t('terminating');
  return (
    <>
      <SafeText text={phase} />
      {counted.length > 0 ? t('ready', { ready, total: counted.length }) : null}
    </>
  );
}
