import { defineConfig } from '@playwright/test'
import config from './playwright.config'

/** `npm run jobs`: does an administrator's jobs and writes what they took into `e2e/jobs.md`. */
export default defineConfig({
  ...config,
  testMatch: /jobs\.ts$/,
  timeout: 3 * 60_000,
  // What takes long on a busy machine is measured, too.
  expect: { timeout: 60_000 },
  use: { ...config.use, trace: 'off', actionTimeout: 60_000 },
})
