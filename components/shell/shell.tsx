'use client';

import clsx from 'clsx';
import { type ReactNode, useState } from 'react';
import { useTranslations } from '@/lib/i18n/use-translations';
import { SandboxActionsProvider } from '../sandboxes/actions';
import { Header } from './header';
import { KeyboardHelp } from './keyboard-help';
import { Nav, useMiniNav } from './nav';
import { Palette } from './palette';
import { SimulatorRibbon } from './ribbon';
import { ScopeProvider } from './scope';
import { useGlobalKeys } from './use-global-keys';

/** The frame of every page: ribbon, navigation, header, content; it brings the live rows. */
export function Shell({ version, children }: { version: string; children: ReactNode }) {
  return (
    <ScopeProvider>
      <SandboxActionsProvider>
        <Frame version={version}>{children}</Frame>
      </SandboxActionsProvider>
    </ScopeProvider>
  );
}

function Frame({ version, children }: { version: string; children: ReactNode }) {
  const t = useTranslations('shell');
  const mini = useMiniNav();
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  useGlobalKeys({ onPalette: () => setPalette((was) => !was), onHelp: () => setHelp(true) });
  return (
    <>
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <div className={clsx('shell', mini && 'mini')}>
        <SimulatorRibbon />
        <Nav version={version} />
        <Header onPalette={() => setPalette(true)} />
        <main className="main" id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Palette open={palette} onOpenChange={setPalette} onHelp={() => setHelp(true)} />
      <KeyboardHelp open={help} onOpenChange={setHelp} />
    </>
  );
}
