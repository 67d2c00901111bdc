'use client';

import { FileText, FileWarning, Paperclip, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { taskLimits } from '@/lib/contracts/tasks';
import { bytesText } from '@/lib/domain/tasks/bytes';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { Button, Icon, IconButton } from '../../ui';
import type { FormFile } from './task-form';

/** Files that are put beside the code. One of the same name takes the other's place. */
export function FilesField(props: {
  files: readonly FormFile[];
  errors: readonly string[];
  /** Names that cannot be sent. */
  faulty: readonly string[];
  onChange: (change: (files: readonly FormFile[]) => FormFile[]) => void;
}) {
  const { files, errors, faulty, onChange } = props;
  const t = useTranslations('tasks.upload');
  const wrong = useId();
  const input = useRef<HTMLInputElement>(null);
  const [unread, setUnread] = useState<string[]>([]);
  const add = async (list: readonly File[]) => {
    setUnread([]);
    for (const file of list) {
      try {
        // What is too large is named, and not read into the page.
        if (file.size > taskLimits.fileBytes) throw new Error('too large');
        const one = { name: file.name, bytes: file.size, base64: await readBase64(file) };
        onChange((was) => [...was.filter(({ name }) => name !== file.name), one]);
      } catch {
        setUnread((was) => [...was, file.name]);
      }
    }
  };
  return (
    <fieldset
      className="task-set"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void add([...event.dataTransfer.files]);
      }}
    >
      <legend>{t('label')}</legend>
      <ul className="task-chips">
        {files.map(({ name, bytes, base64, task }) => (
          <li key={name} className="tag" data-tone={faulty.includes(name) ? 'attention' : undefined}>
            <Icon icon={faulty.includes(name) ? FileWarning : FileText} />
            <span className="cut">
              <SafeText text={name} />
            </span>
            <span className="dim nw">{base64 === undefined && task === undefined ? t('again') : bytesText(bytes)}</span>
            {task === undefined ? null : <span className="dim nw">{t('stored')}</span>}
            <IconButton
              label={t('remove', { name })}
              icon={X}
              aria-describedby={faulty.includes(name) ? wrong : undefined}
              onClick={({ currentTarget }) => {
                // Before it goes, and the focus with it: to the next file, or to the button that adds some.
                currentTarget.closest('li')?.nextElementSibling?.querySelector('button')?.focus();
                onChange((was) => was.filter((file) => file.name !== name));
              }}
            />
          </li>
        ))}
        <li>
          <Button
            size="sm"
            icon={Paperclip}
            data-wrong={errors.length > 0 || undefined}
            onClick={() => input.current?.click()}
          >
            {t('add')}
          </Button>
        </li>
      </ul>
      <input
        ref={input}
        type="file"
        multiple
        className="vh"
        tabIndex={-1}
        aria-label={t('add')}
        onChange={({ currentTarget }) => {
          void add([...(currentTarget.files ?? [])]);
          // The same file may be chosen again, changed.
          currentTarget.value = '';
        }}
      />
      <div id={wrong} className="contents">
        {[...errors, ...unread.map((name) => t('unread', { name, size: bytesText(taskLimits.fileBytes) }))].map(
          (error) => (
            <p key={error} className="ferr" role="alert">
              {error}
            </p>
          ),
        )}
      </div>
    </fieldset>
  );
}

/** What a file holds, as the browser itself writes base64. */
function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(';base64,')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
