import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, configure, render, waitFor } from '@testing-library/react';
import { NextIntlClientProvider } from 'next-intl';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import type { ReactNode } from 'react';
import type { RowsReply } from '@/lib/contracts/stream';
import { type AppLocale, messagesOf, PreferencesProvider } from '@/lib/i18n';
import { LiveProvider } from '@/lib/live';
import { FakeTab, reply } from '@/lib/live/testing';
import { SandboxActionsProvider } from '../sandboxes/actions';
import { Announcer, TooltipProvider } from '../ui';

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 10_000 });

/**
 * Renders under everything that pages stand on, with a live source that the test drives. Needs
 * `vi.mock('next/navigation', …)` in the test file. `rows` absent: nothing has been listed yet.
 * `search`: what the address asks for, as `?form=scale`.
 */
export async function renderConsole(
  ui: ReactNode,
  options: { rows?: Partial<RowsReply['rows']>; locale?: AppLocale; search?: string } = {},
) {
  const { rows, locale = 'en', search = '' } = options;
  const tab = new FakeTab();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const preferences = { locale, timeZone: 'UTC', density: 'compact', nav: 'auto', namespaces: [] } as const;
  const view = render(ui, {
    wrapper: ({ children }) => (
      <NextIntlClientProvider locale={locale} messages={messagesOf(locale)} timeZone="UTC">
        <NuqsTestingAdapter hasMemory searchParams={search}>
          <QueryClientProvider client={client}>
            <PreferencesProvider initial={preferences}>
              <TooltipProvider delayDuration={0}>
                <LiveProvider environment={tab}>
                  <SandboxActionsProvider>{children}</SandboxActionsProvider>
                </LiveProvider>
                <Announcer />
              </TooltipProvider>
            </PreferencesProvider>
          </QueryClientProvider>
        </NuqsTestingAdapter>
      </NextIntlClientProvider>
    ),
  });
  if (rows) {
    await act(async () => tab.list.answer(reply(1, rows)));
    // The stream is opened once the rows are in place.
    await waitFor(() => tab.stream);
  }
  return { ...view, tab };
}

/** jsdom has no layout: gives elements a size, so that a virtual list draws rows, and the browser parts it lacks. */
export function giveElementsSize(height = 600, width = 1200): void {
  for (const [name, value] of [
    ['offsetHeight', height],
    ['offsetWidth', width],
    ['clientHeight', height],
    ['clientWidth', width],
  ] as const) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
  }
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  window.matchMedia ??= (query) =>
    ({
      matches: false,
      media: query,
      onchange: null,
      addEventListener() {},
      removeEventListener() {},
      addListener() {},
      removeListener() {},
      dispatchEvent: () => false,
    }) satisfies MediaQueryList;
  globalThis.CSS ??= {} as typeof CSS;
  CSS.escape ??= (text) => text.replaceAll('"', '\\"');
  Element.prototype.scrollTo ??= () => {};
}
