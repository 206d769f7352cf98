import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { moduleCache, SOURCES } from './lib/testing/module-cache.mjs'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  resolve: {
    alias: {
      '@': path('.'),
      // `server-only` throws outside a React Server build; a test is one by definition.
      'server-only': path('./node_modules/server-only/empty.js'),
    },
  },
  // No test reads styles; without this, Vite would load Tailwind for each run.
  css: { postcss: {} },
  test: {
    experimental: { fsModuleCache: true, fsModuleCachePath: moduleCache() },
    // For a machine that is busy with other things; nothing is decided by them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // A test file ends before optimised code of the embedded database would have paid off.
    execArgv: ['--liftoff-only'],
    env: { NEXTAUTH_SECRET: 'a secret for tests, 32 characters', LOG_LEVEL: 'silent' },
    globalSetup: 'lib/testing/make-pglite-image.ts',
    setupFiles: 'lib/testing/setup.ts',
    include: [`{${SOURCES}}/**/*.test.{ts,tsx}`],
    // `npm run check` leaves out tests that kill processes, wait or move a lot of data.
    exclude: [...configDefaults.exclude, ...(process.env.FAST ? ['**/*.slow.test.ts'] : [])],
    // Half of a run's time was the evaluation of the same modules: see `forget-modules.ts`.
    isolate: false,
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
})
