'use client';

import { lazy, type RefObject, Suspense, useEffect, useId, useState } from 'react';
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

/** What holds a fault: where it is none of one file or variable, the button that adds some. */
const wrong = '[aria-invalid="true"], .tag[data-tone] button, [data-wrong]';

/** Where, what, with what and for how long. What is typed stays, whatever becomes of it. */
export function TaskFormView(props: {
  ref: RefObject<HTMLElement | null>;
  form: Form;
  views: readonly PoolView[];
  send: { submit: (request: TaskDraft) => void; isSending: boolean; error: Error | null };
}) {
  const { form, edit, replace, bringBack, isKept } = props.form;
  const { ref, send, views } = props;
  const t = useTranslations('tasks.form');
  const faultText = useFaultText();
  const hint = useId();
  const [tries, setTries] = useState(0);
  const [isMore, setMore] = useState(false);
  const { faults, request } = requestOf(form);
  // Nobody is told off for what they have not come to yet.
  const told = tries === 0 ? [] : faults;
  const shown = (field: FormFault['field']) => {
    const here = told.filter((fault) => fault.field === field);
    return { errors: faultText(here), faulty: here.flatMap(({ name }) => name ?? []) };
  };
  const code = shown('code').errors;
  const guard = useWriteGuard('runTask', form.pool?.ns, undefined);
  const reason = useGuardReason(guard);
  const submit = () => {
    if (guard.state === 'stale') guard.refresh();
    if (reason) announce(reason);
    if (guard.state !== 'allowed') return;
    setTries((was) => was + 1);
    if (request && !send.isSending) send.submit(request);
  };
  // External system: the focus, which goes to the first field that is wrong.
  useEffect(() => {
    const first = tries > 0 ? ref.current?.querySelector<HTMLElement>(wrong) : undefined;
    const more = first?.closest('details');
    if (more) more.open = true;
    first?.focus();
  }, [ref, tries]);
  return (
    <section ref={ref} className="task-form" aria-label={t('title')} tabIndex={-1}>
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
          <Button
            size="sm"
            onClick={() => {
              ref.current?.focus();
              bringBack();
            }}
          >
            {t('bringBack')}
          </Button>
        </p>
      ) : null}
      <div className="task-fields">
        <PoolField
          views={views}
          value={form.pool}
          error={shown('pool').errors[0]}
          onChange={(pool) => edit({ pool })}
        />
      </div>
      <div className="task-editor">
        <Suspense fallback={<Skeleton width="60%" />}>
          <PythonEditor
            label={t('code')}
            describedBy={`${hint} ${hint}-wrong`}
            isInvalid={code.length > 0}
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
        <div id={`${hint}-wrong`} className="contents">
          {code.map((fault) => (
            <p key={fault} className="ferr" role="alert">
              {fault}
            </p>
          ))}
        </div>
        <FilesField
          files={form.files}
          {...shown('files')}
          onChange={(change) => edit((was) => ({ files: change(was.files) }))}
        />
        <div className="task-short">
          <NumberField
            label={t('limit')}
            value={form.limit}
            min={1}
            max={taskLimits.seconds}
            error={shown('limit').errors[0]}
            onChange={(limit) => edit({ limit })}
          />
        </div>
        <details
          className="task-more"
          open={isMore || form.env.length > 0 || form.after !== 'release'}
          onToggle={({ currentTarget }) => setMore(currentTarget.open)}
        >
          <summary>{t('more')}</summary>
          <div className="task-extra">
            <EnvRows env={form.env} {...shown('env')} onChange={(env) => edit({ env })} />
            <AfterField form={form} error={shown('minutes').errors[0]} onChange={edit} />
          </div>
        </details>
        {send.error ? <AskProblem error={send.error} title={t('refused')} /> : null}
        <SendRow guard={guard} isSending={send.isSending} faults={told.length} isKept={isKept} onSubmit={submit} />
      </div>
    </section>
  );
}

/** What is said of these: the rule about names of files once for all of them. */
function useFaultText(): (faults: readonly FormFault[]) => string[] {
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
  const say = (code: FormFault['code'], name?: string) =>
    t(code, { name: name || 'empty', most: f.number(most[code] ?? 0) });
  return (faults) => {
    const unnamed = faults.flatMap(({ code, name }) => (code === 'fileName' ? name : []));
    return [
      ...faults.flatMap(({ code, name }) => (code === 'fileName' ? [] : say(code, name))),
      ...(unnamed.length > 0 ? [say('fileName', unnamed.join(', '))] : []),
    ];
  };
}
