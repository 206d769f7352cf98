import { defineConfig } from '@playwright/test'
import { BASE_URL, serverEnv, urlOf } from './e2e/server-settings'
import { chromiumLaunchOptions } from './scripts/steps/chromium.mjs'

// One browser with its server leaves a sixth of two processors idle; more make each other late.
const WORKERS = 2

/** End-to-end tests: a real Chromium against the production build; `npm run build` comes first. */
export default defineConfig({
  testDir: './e2e',
  // All specs of a worker share its server and data: each uses names of its own.
  fullyParallel: false,
  workers: WORKERS,
  forbidOnly: process.env.CI === 'true',
  timeout: 120_000,
  // Shared machines stall for seconds at times; the summary names what had to be tried again.
  expect: { timeout: 15_000 },
  retries: process.env.CI === 'true' ? 1 : 0,
  use: {
    baseURL: BASE_URL,
    contextOptions: { reducedMotion: 'reduce' },
    // A control that is no longer where a journey looks for it says so, long before its test times out.
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    // What passes at once needs no recording; one that is tried again on CI is recorded then.
    trace: process.env.CI === 'true' ? 'on-first-retry' : 'retain-on-failure',
    launchOptions: (await chromiumLaunchOptions({ headlessShell: true })) ?? {},
  },
  webServer: Array.from({ length: WORKERS }, (_, worker) => ({
    command: 'node e2e/start-fresh-server.mjs',
    url: `${urlOf(worker)}/api/health`,
    env: serverEnv(worker),
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
  })),
})
