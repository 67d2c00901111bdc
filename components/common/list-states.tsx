'use client';

import { Lock, OctagonX, PackageX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Problem } from '@/lib/contracts/problem';
import type { RowKind } from '@/lib/contracts/rows';
import { kubectlVersion } from '@/lib/domain/kubectl';
import { useTranslations } from '@/lib/i18n/use-translations';
import { useKindFreshness, useLiveControls, useLiveState, useLiveStatus, useRows } from '@/lib/live';
import { Button } from '../ui/button';
import { Command } from '../ui/code';
import { CopyButton } from '../ui/copy-button';
import { Icon } from '../ui/icon';
import { useProblemText } from './problem-text';
import { ExternalLink, SafeText } from './safe-text';

/** Nothing exists yet: what it would be, and how to create it. */
export function EmptyState({
  title,
  children,
  command,
  action,
}: {
  title: ReactNode;
  children: ReactNode;
  command?: string;
  action?: ReactNode;
}) {
  return (
    <div className="blank">
      <h3>{title}</h3>
      <p>{children}</p>
      {command ? <Command text={command} /> : null}
      {action}
    </div>
  );
}

/** Things exist, none passes the filters. `children` names the filters. */
export function FilteredEmpty({
  total,
  children,
  onClear,
}: {
  total: number;
  children?: ReactNode;
  onClear: () => void;
}) {
  const t = useTranslations('common.list');
  return (
    <div className="blank">
      <h3>{t('noMatch', { total })}</h3>
      {children ? <p>{children}</p> : null}
      <Button onClick={onClear}>{t('clear')}</Button>
    </div>
  );
}

const coreKinds: readonly string[] = ['nodes', 'namespaces', 'pods', 'events'];
const qualified = (kind: string) => (coreKinds.includes(kind) ? kind : `${kind}.agents.kruise.io`);

/** Rights are missing: which, and a request to hand on. */
export function ForbiddenState({ kind, reason }: { kind: string; reason?: string | undefined }) {
  const t = useTranslations('common.list');
  const resource = qualified(kind);
  return (
    <div className="blank">
      <h3 className="row">
        <Icon icon={Lock} />
        {t('forbidden', { kind })}
      </h3>
      <p>{t.rich('forbiddenNeeds', { resource, mono: (chunk) => <span className="mono">{chunk}</span> })}</p>
      {reason ? (
        <p>
          <SafeText text={reason} />
        </p>
      ) : null}
      <CopyButton text={t('request', { resource })} label={t('copyRequest')}>
        {t('copyRequest')}
      </CopyButton>
    </div>
  );
}

/** The rows could not be read. The message is the API server's own where it sent one. */
export function FailedState({
  problem,
  onRetry,
  children,
}: {
  problem?: Problem | undefined;
  onRetry: () => void;
  children?: ReactNode;
}) {
  const t = useTranslations('common.list');
  const say = useProblemText();
  return (
    <div className="blank">
      <h3 className="row" data-tone="breach">
        <Icon icon={OctagonX} />
        {t('failed')}
      </h3>
      {problem ? (
        <p>
          <SafeText text={say(problem)} />
          {problem.requestId ? t('requestId', { id: problem.requestId }) : null}
        </p>
      ) : null}
      {children}
      <Button onClick={onRetry}>{t('retry')}</Button>
    </div>
  );
}

/** The name of the cluster that a console in a Pod is in; no kubeconfig has it as a context. */
const inPod = 'in-cluster';

/** Which API server gives the console no answer, and how to see for oneself. */
function SilentServer() {
  const t = useTranslations('common.list');
  const { kinds = [], cluster } = useLiveStatus().freshness ?? {};
  if (!cluster || !kinds.some(({ state }) => state === 'degraded')) return null;
  const { name, server, embedded } = cluster;
  const mono = (chunk: ReactNode) => <span className="mono wrap-any">{chunk}</span>;
  return (
    <>
      <p>{t.rich('failedServer', { host: new URL(server).host, context: name, mono })}</p>
      {embedded ? null : <Command label={t('failedCheck')} text={kubectlVersion(name === inPod ? undefined : name)} />}
    </>
  );
}

/** The cluster does not serve this kind: how to install it. */
export function MissingKindState({ kind }: { kind: string }) {
  const t = useTranslations('common.list');
  return (
    <div className="blank">
      <h3 className="row">
        <Icon icon={PackageX} />
        {t('missing', { resource: qualified(kind) })}
      </h3>
      <p>{t('missingWhy')}</p>
      <Command
        text={`kubectl apply --server-side -f https://raw.githubusercontent.com/openkruise/agents/master/config/crd/bases/agents.kruise.io_${kind}.yaml`}
      />
      <p>
        <ExternalLink href="https://openkruise.io/kruiseagents/">{t('installGuide')}</ExternalLink>
      </p>
    </div>
  );
}

export type ListState = 'loading' | 'ready' | 'forbidden' | 'failed' | 'missing';

/** Which of its sights a list of this kind shows. Empty and filtered-empty are `ready`: only the page tells them apart. */
export function useListState(kind: RowKind): ListState {
  const state = useLiveState();
  const known = useKindFreshness(kind)?.state;
  const empty = useRows(kind).length === 0;
  if (known === 'missing' || known === 'forbidden') return known;
  if (state === 'failed' || state === 'forbidden' || state === 'loading') return state;
  // While the cluster cannot be asked, or takes a kind away, that there is nothing is not known.
  if (empty && known !== undefined && known !== 'live') return 'loading';
  return 'ready';
}

/** The sight of a list that has no rows to show, and cannot have; nothing when it can. */
export function ListTrouble({ kind }: { kind: RowKind }) {
  const state = useListState(kind);
  const status = useLiveStatus();
  const freshness = useKindFreshness(kind);
  const controls = useLiveControls();
  const say = useProblemText();
  if (state === 'missing') return <MissingKindState kind={kind} />;
  if (state === 'forbidden') {
    return <ForbiddenState kind={kind} reason={freshness?.reason ?? (status.problem && say(status.problem))} />;
  }
  if (state === 'failed') {
    return (
      <FailedState problem={status.problem} onRetry={() => void controls.refresh()}>
        <SilentServer />
      </FailedState>
    );
  }
  return null;
}
