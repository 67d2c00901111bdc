'use client';

import { Pencil } from 'lucide-react';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { lazy, Suspense, useMemo, useState } from 'react';
import { parsePatchYaml, patchYaml } from '@/lib/domain/upgrades/patch-yaml';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SafeText } from '../../common';
import { Button, Note, Segmented, Skeleton } from '../../ui';
import { GroupDiffs } from './group-diffs';
import { PatchFormView } from './patch-form-view';
import { usePatchProblemText } from './patch-problem-text';
import { PlanProblems } from './plan-problems';
import type { Planning } from './planning';
import { StepFrame } from './step-frame';
import '../../writes/writes.css';

const PatchEditor = lazy(async () => ({ default: (await import('./patch-editor')).PatchEditor }));

/** What is changed: fields or YAML of one patch, what stood before an earlier operation, or nothing but hooks. */
export function ChangeStep({ planning }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.change');
  const { form, edit } = planning;
  return (
    <StepFrame planning={planning} step="change">
      <section className="plan-pane" aria-label={t('label')}>
        <div className="fld">
          <span className="lab">{t('what')}</span>
          <Segmented
            label={t('what')}
            value={form.changeBy}
            options={[
              { value: 'patch', label: t('patch') },
              ...(form.restore ? [{ value: 'restore' as const, label: t('restore') }] : []),
              { value: 'none', label: t('none') },
            ]}
            onChange={(changeBy) => edit({ changeBy })}
          />
        </div>
        {form.changeBy === 'patch' ? <PatchViews planning={planning} /> : null}
        {form.changeBy === 'restore' ? <Restore planning={planning} /> : null}
        {form.changeBy === 'none' ? <HooksOnly planning={planning} /> : null}
      </section>
      <section className="plan-pane" aria-label={t('result')}>
        <PlanProblems planning={planning} step="change" />
        <GroupDiffs planning={planning} />
      </section>
    </StepFrame>
  );
}

function PatchViews({ planning }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.change');
  const [view, setView] = useQueryState('view', parseAsStringLiteral(['form', 'yaml']).withDefault('form'));
  const { form, edit, patch, preview } = planning;
  const groups = preview.reply?.groups ?? [];
  const [refused, setRefused] = useState(false);
  // Fields cannot show what does not parse, and must not hide it.
  const shown = patch ? view : 'yaml';
  const choose = (next: 'form' | 'yaml') => {
    setRefused(next === 'form' && !patch);
    // Asked for while the text is broken, the form would come the moment it is right: under the hands of who types.
    if (next === 'yaml' || patch) void setView(next);
  };
  return (
    <>
      <Segmented
        label={t('view')}
        value={shown}
        options={[
          { value: 'form', label: t('form') },
          { value: 'yaml', label: t('yaml') },
        ]}
        onChange={choose}
      />
      {refused && !patch ? (
        <p className="ferr" role="alert">
          {t('formRefused')}
        </p>
      ) : null}
      {shown === 'form' && patch ? (
        <PatchFormView
          patch={patch}
          groups={groups}
          known={preview.reply !== undefined}
          fixedImages={form.strategy === 'CheckpointRestore'}
          onChange={(next) => edit({ patch: patchYaml(next) })}
        />
      ) : (
        <Suspense fallback={<Skeleton width={240} />}>
          <PatchEditor
            label={t('yamlLabel')}
            value={form.patch}
            groups={groups}
            onChange={(text) => {
              choose('yaml');
              edit({ patch: text });
            }}
          />
          <p className="fhint">{t('yamlHint')}</p>
        </Suspense>
      )}
      <TextProblems text={form.patch} />
      <p className="fhint">{t('keptHere')}</p>
    </>
  );
}

/** What is wrong with the text, by line. */
function TextProblems({ text }: { text: string }) {
  const t = useTranslations('upgrade-plan.change');
  const say = usePatchProblemText();
  const read = useMemo(() => parsePatchYaml(text), [text]);
  if (!('problems' in read)) return null;
  const lines = new Set(
    read.problems.map(
      (problem) => (problem.line === undefined ? '' : t('line', { line: problem.line })) + say(problem),
    ),
  );
  return (
    <div role="alert">
      {[...lines].map((line) => (
        <p key={line} className="ferr">
          <SafeText text={line} />
        </p>
      ))}
    </div>
  );
}

function Restore({ planning: { form, edit } }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.change');
  return (
    <>
      <p>
        {t.rich('restoreText', {
          name: form.restore?.operation.name ?? '',
          b: (chunk) => <b className="b">{chunk}</b>,
        })}
      </p>
      <div>
        <Button icon={Pencil} onClick={() => edit({ changeBy: 'patch' })}>
          {t('restoreOwn')}
        </Button>
      </div>
    </>
  );
}

function HooksOnly({ planning }: { planning: Planning }) {
  const t = useTranslations('upgrade-plan.change');
  const fault = planning.faultOf('noHook');
  return fault ? (
    <Note tone="attention" title={fault}>
      {t('noneText')}
    </Note>
  ) : (
    <p>{t('noneText')}</p>
  );
}
