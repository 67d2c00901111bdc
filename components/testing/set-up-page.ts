import { beforeAll, beforeEach, vi } from 'vitest';
import { leaveNothing } from './leave-nothing';
import { giveElementsSize } from './render-console';

const notFound = async (_url: string) =>
  Response.json({ code: 'not_found', status: 404, message: 'not found', requestId: 'r' }, { status: 404 });

/** What tests of a page stand on: a browser with sizes and an empty storage, and `api` in place of the console's API. */
export function setUpPage(api: (url: string) => Promise<Response> = notFound): void {
  beforeAll(() => giveElementsSize());
  beforeEach(() => {
    localStorage.clear();
    vi.stubGlobal('fetch', api);
  });
  leaveNothing();
}
