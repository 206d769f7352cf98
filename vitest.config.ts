import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  resolve: {
    alias: {
      '@': path('.'),
      // `server-only` throws outside a React Server build; a test is one by definition.
      'server-only': path('./node_modules/server-only/empty.js'),
    },
  },
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { NEXTAUTH_SECRET: 'a secret for tests, 32 characters', LOG_LEVEL: 'silent' },
    globalSetup: 'lib/testing/make-pglite-image.ts',
    include: ['{app,lib,components,scripts}/**/*.test.{ts,tsx}'],
    // `npm run check` leaves out what kills processes, waits or moves a lot of data.
    exclude: [...configDefaults.exclude, ...(process.env.FAST ? ['**/*.slow.test.ts'] : [])],
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
})
