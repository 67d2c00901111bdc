'use client';

import type { ReactNode } from 'react';
import { SafeText } from '@/components/common';
import { Command, Tag } from '@/components/ui';
import { causeCode } from '@/lib/contracts/rows';
import type { Finding, Verdict } from '@/lib/domain/diagnosis/verdict';
import { useFormats } from '@/lib/i18n';
import { useTranslations } from '@/lib/i18n/use-translations';
import { EvidenceList } from './evidence-list';
import { useFindingSentence, useStepText } from './finding-words';

function Section({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="psec">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** How sure a finding is, in a word. */
export function Confidence({ finding }: { finding: Finding }) {
  const t = useTranslations('diagnosis');
  const words = useTranslations('stuck.reading');
  return (
    <p className="sm mut">
      <span className="mono">{finding.code}</span> · {t(`kind.${finding.kind}`)} ·{' '}
      <span title={words(`confidence.${finding.confidence}`)}>{t(`confidence.${finding.confidence}`)}</span>
    </p>
  );
}

/** What else is worth knowing and holds nothing up. */
export function Hints({ hints }: { hints: readonly Finding[] }) {
  const t = useTranslations('stuck.reading');
  const confidence = useTranslations('diagnosis.confidence');
  const sentence = useFindingSentence();
  const step = useStepText();
  if (hints.length === 0) return null;
  return (
    <Section title={t('hints')}>
      <ul className="grid gap-3">
        {hints.map((hint) => (
          <li key={hint.code} className="grid gap-1">
            <p>
              {sentence(hint)} <Tag>{confidence(hint.confidence)}</Tag>
            </p>
            <details>
              <summary className="sm dim">{t('evidence')}</summary>
              <div className="mt-1 grid gap-2">
                <EvidenceList evidence={hint.evidence} />
                {hint.steps.map((each) => (
                  <div key={each.code} className="grid gap-1">
                    <p className="sm mut">{step(each)}</p>
                    {each.kubectl.map((line) => (
                      <Command key={line} text={line} />
                    ))}
                  </div>
                ))}
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What was asked when no rule has an answer, and of what the objects were not at hand. */
export function NothingFound({ verdict }: { verdict: Verdict }) {
  const t = useTranslations('stuck.reading');
  const causes = useTranslations('domain.cause');
  const f = useFormats();
  const names = verdict.checked.flatMap((code) => {
    const known = causeCode.safeParse(code);
    return known.success ? [causes(known.data)] : [];
  });
  return (
    <Section title={t('checkedTitle')}>
      <p className="mut">{names.length > 0 ? f.list([...new Set(names)]) : t('checkedNone')}</p>
      {verdict.missing.length > 0 ? (
        <p className="sm dim mt-1">{t('missing', { kinds: f.list(verdict.missing) })}</p>
      ) : null}
    </Section>
  );
}

/** Phases, conditions and reasons that this version does not know, as they are. */
export function UnknownValues({ verdict }: { verdict: Verdict }) {
  const t = useTranslations('diagnosis');
  if (verdict.unknown.length === 0) return null;
  return (
    <Section title={t('unknown')}>
      <dl className="grid gap-1">
        {verdict.unknown.map(({ path, value }) => (
          <div key={path}>
            <dt className="dim micro">
              <SafeText text={path} />
            </dt>
            <dd className="mono wrap-anywhere">
              <SafeText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
