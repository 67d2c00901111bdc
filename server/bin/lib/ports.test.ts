import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { claimPort, httpUrl } from './ports.mjs';

test('a port that is taken is refused, with the flag that helps', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(claimPort(port, '127.0.0.1')).rejects.toMatchObject({
    message: `Port ${port} on 127.0.0.1 is already in use.`,
    remedy: expect.stringContaining(`--port ${port + 1}`),
    code: 1,
  });
  await new Promise((resolve) => server.close(resolve));
  await expect(claimPort(port, '127.0.0.1')).resolves.toBe(port);
});

test('port 0 becomes one that is free', async () => {
  await expect(claimPort(0, '127.0.0.1')).resolves.toBeGreaterThan(0);
});

test('an address of another machine is refused', async () => {
  await expect(claimPort(0, '192.0.2.1')).rejects.toThrow('Cannot listen on 192.0.2.1 (EADDRNOTAVAIL).');
});

test('addresses that mean "all" are reached over loopback', () => {
  expect(httpUrl('0.0.0.0', 1)).toBe('http://127.0.0.1:1');
  expect(httpUrl('::', 1)).toBe('http://[::1]:1');
  expect(httpUrl('localhost', 1)).toBe('http://localhost:1');
});
