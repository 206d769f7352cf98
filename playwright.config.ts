import { defineConfig } from '@playwright/test'
import { BASE_URL, SERVER_ENV } from './e2e/server-settings'
import { chromiumLaunchOptions } from './scripts/steps/chromium.mjs'

/** End-to-end tests: a real Chromium against the production build; `npm run build` comes first. */
export default defineConfig({
  testDir: './e2e',
  // All specs share one server and its data: each uses names of its own.
  fullyParallel: false,
  workers: 1,
  forbidOnly: process.env.CI === 'true',
  timeout: 60_000,
  // Shared machines stall for seconds at times; the summary names what had to be tried again.
  expect: { timeout: 15_000 },
  retries: process.env.CI === 'true' ? 1 : 0,
  use: {
    baseURL: BASE_URL,
    trace: 'retain-on-failure',
    launchOptions: (await chromiumLaunchOptions()) ?? {},
  },
  webServer: {
    command: 'node e2e/start-fresh-server.mjs',
    url: `${BASE_URL}/api/health`,
    env: SERVER_ENV,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
  },
})
