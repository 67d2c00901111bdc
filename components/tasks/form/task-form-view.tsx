'use client';

import { lazy, type Ref, Suspense, useId, useState } from 'react';
import { type TaskDraft, taskLimits } from '@/lib/contracts/tasks';
import type { PoolView } from '@/lib/domain/pool-views';
import { sampleNames } from '@/lib/domain/tasks/samples';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SectionHead } from '../../common';
import { announce, Button, NumberField, Skeleton, useGuardReason } from '../../ui';
import { useWriteGuard } from '../../writes/use-write-guard';
import { AskProblem } from '../run/ask-problem';
import { AfterField } from './after-field';
import { EnvRows } from './env-rows';
import { FilesField } from './files-field';
import { PoolField } from './pool-field';
import { SendRow } from './send-row';
import { type FormFault, requestOf, sampleForm } from './task-form';
import type { Form } from './use-task-form';

const PythonEditor = lazy(async () => ({ default: (await import('./python-editor')).PythonEditor }));

/** Where, what, with what and for how long. What is typed stays, whatever becomes of it. */
export function TaskFormView(props: {
  ref: Ref<HTMLElement>;
  form: Form;
  views: readonly PoolView[];
  send: { submit: (request: TaskDraft) => void; isSending: boolean; error: Error | null };
}) {
  const { form, edit, replace, bringBack, isKept } = props.form;
  const { send, views } = props;
  const t = useTranslations('tasks.form');
  const faultText = useFaultText();
  const hint = useId();
  const [isTried, setTried] = useState(false);
  const { faults, request } = requestOf(form);
  const shown = (field: FormFault['field']) =>
    // Nobody is told off for what they have not come to yet.
    isTried ? faults.filter((fault) => fault.field === field).map(faultText) : [];
  const guard = useWriteGuard('runTask', form.pool?.ns, undefined);
  const reason = useGuardReason(guard);
  const submit = () => {
    if (guard.state === 'stale') guard.refresh();
    if (reason) announce(reason);
    if (guard.state !== 'allowed') return;
    setTried(true);
    if (request && !send.isSending) send.submit(request);
  };
  return (
    <section ref={props.ref} className="task-form" aria-label={t('title')} tabIndex={-1}>
      <SectionHead
        title={t('title')}
        end={
          <span className="task-samples">
            <span className="dim">{t('samples')}</span>
            {sampleNames.map((name) => (
              <Button key={name} size="sm" onClick={() => replace(sampleForm(name))}>
                {t(`sample.${name}`)}
              </Button>
            ))}
          </span>
        }
      />
      {bringBack ? (
        <p className="task-undo" role="status">
          {t('replaced')}{' '}
          <Button size="sm" onClick={bringBack}>
            {t('bringBack')}
          </Button>
        </p>
      ) : null}
      <div className="task-fields">
        <PoolField views={views} value={form.pool} error={shown('pool')[0]} onChange={(pool) => edit({ pool })} />
      </div>
      <div className="task-editor">
        <Suspense fallback={<Skeleton width="60%" />}>
          <PythonEditor
            label={t('code')}
            describedBy={hint}
            value={form.code}
            onChange={(code) => edit({ code })}
            onSubmit={submit}
          />
        </Suspense>
      </div>
      <div className="task-fields">
        <p id={hint} className="fhint">
          {t('editorHint')}
        </p>
        {shown('code').map((fault) => (
          <p key={fault} className="ferr" role="alert">
            {fault}
          </p>
        ))}
        <FilesField
          files={form.files}
          errors={shown('files')}
          onChange={(change) => edit((was) => ({ files: change(was.files) }))}
        />
        <div className="task-short">
          <NumberField
            label={t('limit')}
            value={form.limit}
            min={1}
            max={taskLimits.seconds}
            error={shown('limit')[0]}
            onChange={(limit) => edit({ limit })}
          />
        </div>
        <details className="task-more" open={form.env.length > 0 || form.after !== 'release'}>
          <summary>{t('more')}</summary>
          <div className="task-extra">
            <EnvRows env={form.env} errors={shown('env')} onChange={(env) => edit({ env })} />
            <AfterField form={form} error={shown('minutes')[0]} onChange={edit} />
          </div>
        </details>
        {send.error ? <AskProblem error={send.error} title={t('refused')} /> : null}
        <SendRow
          guard={guard}
          isSending={send.isSending}
          faults={isTried ? faults.length : 0}
          isKept={isKept}
          onSubmit={submit}
        />
      </div>
    </section>
  );
}

function useFaultText(): (fault: FormFault) => string {
  const t = useTranslations('tasks.fault');
  const f = useFormats();
  const { seconds, keepMinutes, files, fileBytes, variables, variableBytes, codeBytes } = taskLimits;
  const most: Partial<Record<FormFault['code'], number>> = {
    limit: seconds,
    minutes: keepMinutes,
    tooManyFiles: files,
    tooManyVariables: variables,
    fileBytes: Math.round(fileBytes / 1024),
    variableBytes: Math.round(variableBytes / 1024),
    codeBytes: Math.round(codeBytes / 1024),
  };
  return (fault) => t(fault.code, { name: fault.name || 'empty', most: f.number(most[fault.code] ?? 0) });
}
