'use client';

import { Undo2 } from 'lucide-react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { IconButton } from '../../ui';
import { AddItem } from './add-item';
import type { ContainerProps } from './container-fields';

/** Volume mounts that the patch sets or takes away, by their path. */
export function MountFields({ now, asked, volumes, onEdit }: ContainerProps & { volumes: readonly string[] }) {
  const t = useTranslations('upgrade-plan.change');
  const on = { container: asked.name, init: asked.init };
  const volumeAt = (path: string) => now?.mounts.get(path)?.[0] ?? '';
  return (
    <div className="fld">
      <span className="lab">{t('mounts')}</span>
      {asked.mounts.map((mount) => (
        <div key={mount.mountPath} className="plan-row">
          <span className="mono cut" title={mount.mountPath}>
            {mount.volume === null ? <del>{mount.mountPath}</del> : <SafeText text={mount.mountPath} />}
          </span>
          {mount.volume === null ? (
            <span className="dim">{t('deleted')}</span>
          ) : (
            <span className="in pickf">
              <select
                aria-label={t('mountVolume', { path: mount.mountPath })}
                value={mount.volume}
                onChange={(event) => onEdit({ what: 'mount', ...on, mount: { ...mount, volume: event.target.value } })}
              >
                {[...new Set([...volumes, mount.volume])].map((name) => (
                  <option key={name} value={name}>
                    {name || t('choose')}
                  </option>
                ))}
              </select>
            </span>
          )}
          <IconButton
            label={t('mountUndo', { path: mount.mountPath })}
            icon={Undo2}
            onClick={() => onEdit({ what: 'removeMount', ...on, mountPath: mount.mountPath })}
          />
        </div>
      ))}
      <AddItem
        label={t('mountPath', { container: asked.name })}
        placeholder={t('pathPlaceholder')}
        known={[...(now?.mounts.keys() ?? [])]}
        set={t('set')}
        remove={t('takeAway')}
        onSet={(mountPath) => onEdit({ what: 'mount', ...on, mount: { mountPath, volume: volumeAt(mountPath) } })}
        onRemove={(mountPath) => onEdit({ what: 'mount', ...on, mount: { mountPath, volume: null } })}
      />
    </div>
  );
}
