import { defineConfig } from '@playwright/test'
import config from './playwright.config'

/** `npm run screens`: every page as people see it, into `e2e/screens/`, checked for accessibility. */
export default defineConfig({
  ...config,
  testMatch: /screens\.ts$/,
  timeout: 30 * 60_000,
  use: { ...config.use, trace: 'off' },
})
