import { COMMON_HEADERS } from './lib/http/common-headers.mjs'

const commonHeaders = Object.entries(COMMON_HEADERS).map(([key, value]) => ({ key, value }))

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run types` checks them, tests included; a build need not do it again.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    { source: '/((?!_next/static/).*)', headers: commonHeaders },
    // The others are for documents, and would make each script a hundred bytes longer.
    {
      source: '/_next/static/:path*',
      headers: commonHeaders.filter(({ key }) => key === 'X-Content-Type-Options'),
    },
  ],
  // No page uses `next/image`: its route would let anybody have stored images decoded and files written.
  images: { unoptimized: true },
  experimental: {
    authInterrupts: true, // the 403 page
    // Our own server has the handlers of the API; Next would load its copies, each with the same megabyte and a half.
    preloadEntriesOnStart: false,
    // Bodies sent to pages, which have no use for them, are kept in memory up to this.
    proxyClientMaxBodySize: '64kb',
  },
  // `next start` does not serve a standalone build: the Dockerfile asks for one.
  output: process.env.NEXT_OUTPUT === 'standalone' ? 'standalone' : undefined,
  serverExternalPackages: [
    '@electric-sql/pglite',
    '@node-rs/argon2',
    'cloudinary',
    'pg',
    'pino',
    'rate-limiter-flexible',
    'sharp',
  ],
  // Data must not get into an image. Such patterns hold at any depth: `lib` would empty packages.
  outputFileTracingExcludes: { '/**': ['./.data/**'] },
  outputFileTracingIncludes: {
    '/**': [
      './drizzle/**',
      './public/samples/**',
      // Our own server imports these, which Next's trace may see in another form only.
      './node_modules/@next/env/**',
      './node_modules/next/dist/server/next.js',
      './node_modules/pg/esm/**',
      // Worker threads are started by their paths, which no trace sees.
      './lib/**/*.mjs',
      './node_modules/jsonc-parser/**',
      './node_modules/@electric-sql/pglite/package.json',
      './node_modules/@electric-sql/pglite/dist/*.{js,wasm,data}',
      './node_modules/@electric-sql/pglite/dist/fs/*.js',
      './node_modules/@electric-sql/pglite/dist/contrib/pg_trgm.js',
      './node_modules/@electric-sql/pglite/dist/pg_trgm.tar.gz',
      // Asked for by rate-limiter-flexible in a way that no trace sees: without it every sign-in fails.
      './node_modules/drizzle-orm/package.json',
      './node_modules/drizzle-orm/**/*.js',
    ],
  },
}
