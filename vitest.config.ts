import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { moduleCache, SOURCES } from './lib/testing/module-cache.mjs'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/**
 * Slow files, most of which wait, between others, which compute; none of them last, where all would wait for it.
 */
class SlowBetween extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => moduleId.includes('.slow.')
    const [slow, others] = [sorted.filter(isSlow), sorted.filter((file) => !isSlow(file))]
    const each = Math.floor((others.length * 0.7) / Math.max(1, slow.length))
    const after = (n: number) => others.slice(n * each, (n + 1) * each)
    return [...slow.flatMap((file, n) => [file, ...after(n)]), ...others.slice(slow.length * each)]
  }
}

export default defineConfig({
  resolve: {
    alias: { '@': path('.') },
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
    setupFiles: [
      ...(process.env.REACH_FILE ? ['scripts/reach/record.ts'] : []),
      'lib/testing/setup.ts',
    ],
    include: [`{${SOURCES}}/**/*.test.{ts,tsx}`],
    // `npm run check` leaves out tests that kill processes, wait or move a lot of data.
    exclude: [...configDefaults.exclude, ...(process.env.FAST ? ['**/*.slow.test.ts'] : [])],
    // Half of a run's time was the evaluation of the same modules: see `forget-modules.ts`.
    isolate: false,
    sequence: { sequencer: SlowBetween },
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
})
