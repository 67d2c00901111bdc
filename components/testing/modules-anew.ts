import { configure } from '@testing-library/react';
import { vi } from 'vitest';

// The files that a worker runs share its document and what it has loaded of packages: that takes longer than most of them.
// Modules of the console are new in each, so that what it mocks is mocked; the document and what it keeps are empty again.
vi.resetModules();
configure({ asyncUtilTimeout: 1_000, defaultHidden: false });
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, '', '/');
document.title = '';
document.head.replaceChildren();
document.body.replaceChildren();
for (const element of [document.documentElement, document.body]) {
  for (const name of element.getAttributeNames()) element.removeAttribute(name);
}
