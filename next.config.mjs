/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // `next start` does not serve a standalone build: the Dockerfile asks for one.
  output: process.env.NEXT_OUTPUT === 'standalone' ? 'standalone' : undefined,
  serverExternalPackages: [
    '@electric-sql/pglite',
    '@node-rs/argon2',
    'cloudinary',
    'pino',
    'postgres',
    'sharp',
  ],
  outputFileTracingIncludes: { '/**': ['./drizzle/**', './public/samples/**'] },
}
