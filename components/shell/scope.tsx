'use client';

import { parseAsString, useQueryState } from 'nuqs';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { usePreferences } from '@/lib/i18n';
import { parseNamespaces, preferenceCookies, rememberPreference } from '@/lib/i18n/preferences';
import { LiveProvider } from '@/lib/live';

type Scope = {
  /** Chosen namespaces; empty means all that the person may see. */
  namespaces: readonly string[];
  choose: (namespaces: readonly string[]) => void;
};

const ScopeContext = createContext<Scope | null>(null);

/** Namespaces of everything below: those in the address, else those looked at last. Brings their rows. */
export function ScopeProvider({ children }: { children: ReactNode }) {
  const { namespaces: remembered } = usePreferences();
  const [last, setLast] = useState(remembered);
  const [param, setParam] = useQueryState('ns', parseAsString);
  const text = param === null ? last.join(',') : parseNamespaces(param).join(',');
  const choose = useCallback(
    (next: readonly string[]) => {
      setLast(next);
      rememberPreference(preferenceCookies.namespaces, next.join(','));
      void setParam(next.length > 0 ? next.join(',') : null);
    },
    [setParam],
  );
  const scope = useMemo(() => ({ namespaces: text === '' ? [] : text.split(','), choose }), [choose, text]);
  return (
    <ScopeContext value={scope}>
      <LiveProvider namespaces={scope.namespaces.length > 0 ? scope.namespaces : undefined}>{children}</LiveProvider>
    </ScopeContext>
  );
}

export function useScope(): Scope {
  const scope = useContext(ScopeContext);
  if (!scope) throw new Error('useScope needs a ScopeProvider');
  return scope;
}
