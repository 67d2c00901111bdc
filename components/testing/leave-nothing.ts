import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

/** Between tests nothing stays: neither what was drawn nor what stood in for something. */
export function leaveNothing(): void {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
}
