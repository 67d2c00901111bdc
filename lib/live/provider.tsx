'use client';

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { preload } from 'react-dom';
import { LiveClient } from './client';
import { browserEnvironment, type LiveEnvironment } from './environment';

const Context = createContext<LiveClient | undefined>(undefined);

export interface LiveProviderProps {
  /** Scope of everything below; undefined means all that the person may see. */
  namespaces?: readonly string[] | undefined;
  environment?: LiveEnvironment;
  children: ReactNode;
}

/** One list and one stream for everything below it. A new scope starts anew; children are not remounted. */
export function LiveProvider({ namespaces, environment = browserEnvironment, children }: LiveProviderProps) {
  const scope = namespaces && [...new Set(namespaces)].sort().join(',');
  const make = () => ({
    scope,
    client: new LiveClient(scope === undefined ? undefined : scope.split(','), environment),
  });
  const [held, setHeld] = useState(make);
  if (held.scope !== scope) setHeld(make());

  const { client } = held;
  // Rows come while the scripts are still loading. The mode is that of a plain fetch, else it would be asked twice.
  preload(client.listUrl, { as: 'fetch', crossOrigin: 'anonymous' });
  // External system: the event stream of the console's server.
  useEffect(() => {
    client.start();
    return () => client.stop();
  }, [client]);

  return <Context value={client}>{children}</Context>;
}

/** @throws outside a {@link LiveProvider} */
export function useLiveClient(): LiveClient {
  const client = useContext(Context);
  if (!client) throw new Error('useRows and its siblings need a LiveProvider above them');
  return client;
}
