import { expect, it } from 'vitest';
import { sandboxActionRequest } from './sandbox-writes';

const request = (over: object) => ({
  items: [{ ns: 'lab', name: 'box-1', uid: 'u-1', ...over }],
  change: { action: 'deletePod' },
});

it('takes names only that are safe as parts of a path', () => {
  expect(sandboxActionRequest.safeParse(request({})).success).toBe(true);
  // encodeURIComponent lets these through, and a URL resolves them.
  for (const over of [{ name: '..' }, { ns: '..' }, { name: 'a/b' }, { ns: '' }]) {
    expect(sandboxActionRequest.safeParse(request(over)).success).toBe(false);
  }
});
