import { existsSync } from 'node:fs'
import { installDebianPackage } from './debian.mjs'
import { bin, run } from './run.mjs'

/** Without a window that nobody sees: a page takes it two thirds of the processor time. Playwright's own is the same. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * How to launch a Chromium: Playwright's own where it is installed, else the system's, and of those preferably the
 * `headlessShell`. Null when there is none.
 */
export async function chromiumLaunchOptions({ headlessShell = false } = {}) {
  const own = await hasOwn()
  const system = headlessShell ? [HEADLESS_SHELL, ...SYSTEM_BROWSERS] : SYSTEM_BROWSERS
  const executablePath = own ? undefined : system.find((path) => existsSync(path))
  if (!own && !executablePath) return null
  return { executablePath, args: executablePath ? FLAGS : [] }
}

async function hasOwn() {
  const { chromium } = await import('playwright')
  return existsSync(chromium.executablePath())
}

const FLAGS = [
  // Chromium refuses to run as root inside its sandbox.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-gpu-rasterization',
  '--disable-gpu-compositing',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Installs a Chromium for tests if there is none; returns whether there is one now. */
export async function installChromium() {
  if (!(await hasOwn()) && !existsSync(HEADLESS_SHELL))
    await installDebianPackage('chromium-headless-shell')
  const isThere = async () => (await chromiumLaunchOptions({ headlessShell: true })) !== null
  if (await isThere()) return true
  await installDebianPackage('chromium')
  if (await isThere()) return true
  await run(process.execPath, [bin('playwright/cli.js'), 'install', 'chromium'])
  return isThere()
}
