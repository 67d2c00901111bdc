import createNextIntlPlugin from 'next-intl/plugin';

const withNextIntl = createNextIntlPlugin('./lib/i18n/request.ts');

/** @type {import('next').NextConfig} */
const config = {
  output: 'standalone',
  poweredByHeader: false,
  reactStrictMode: true,
  typedRoutes: false,
  // These keep module state or native parts that bundling would duplicate or break.
  serverExternalPackages: ['@kubernetes/client-node', 'pino'],
  // A development server keeps its own folder, so that it never spoils a production build.
  distDir: process.env.CONSOLE_DIST_DIR ?? '.next',
};

export default withNextIntl(config);
