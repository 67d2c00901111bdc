import createNextIntlPlugin from 'next-intl/plugin';

const withNextIntl = createNextIntlPlugin('./lib/i18n/request.ts');

/** @type {import('next').NextConfig} */
const config = {
  output: 'standalone',
  // Without these, a lock file in a parent folder moves the root there, and the built server with it.
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run dev` prints the loopback address; without this, hot reload is refused there.
  allowedDevOrigins: ['127.0.0.1'],
  // `npm test` checks the types of everything, tests included; a build need not do it again.
  typescript: { ignoreBuildErrors: true },
  // These keep module state or native parts that bundling would duplicate or break.
  serverExternalPackages: ['@kubernetes/client-node', 'e2b', 'kysely', 'libsql', 'pg', 'pino', 'pyodide'],
  // A development server keeps its own folder, so that it never spoils a production build.
  distDir: process.env.CONSOLE_DIST_DIR ?? '.next',
};

export default withNextIntl(config);
