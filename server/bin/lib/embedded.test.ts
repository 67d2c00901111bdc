import { expect, it } from 'vitest';
import { readyOf } from './embedded.mjs';

it('reads the line with which the cluster begins, with spaces in its paths, and no other', () => {
  const begin = 'ready http://127.0.0.1:1 kubeconfig=/my files/kubeconfig';
  expect(readyOf(begin)).toEqual({ url: 'http://127.0.0.1:1', kubeconfig: '/my files/kubeconfig' });
  const rest =
    ' control=http://127.0.0.1:3 e2b=http://127.0.0.1:4 gateway=http://127.0.0.1:5 e2b-key=/my files/e2b-key';
  expect(readyOf(`${begin} metrics=http://127.0.0.1:2/metrics${rest}`)).toEqual({
    url: 'http://127.0.0.1:1',
    kubeconfig: '/my files/kubeconfig',
    control: 'http://127.0.0.1:3',
    e2b: { url: 'http://127.0.0.1:4', gateway: 'http://127.0.0.1:5', keyFile: '/my files/e2b-key' },
  });
  expect(readyOf('already http://127.0.0.1:1 kubeconfig=/k')).toBeUndefined();
});
