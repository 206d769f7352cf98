import { existsSync } from 'node:fs'
import { installDebianPackage } from './debian.mjs'
import { bin, run } from './run.mjs'

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * How to launch a Chromium: Playwright's own where it is installed, else the system's. Null when
 * there is none.
 */
export async function chromiumLaunchOptions() {
  const { chromium } = await import('playwright')
  const own = existsSync(chromium.executablePath())
  const executablePath = own ? undefined : SYSTEM_BROWSERS.find((path) => existsSync(path))
  if (!own && !executablePath) return null
  return { executablePath, args: executablePath ? FLAGS : [] }
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

/** Installs a Chromium if there is none; returns whether there is one now. */
export async function installChromium() {
  if (await chromiumLaunchOptions()) return true
  await installDebianPackage('chromium')
  if (await chromiumLaunchOptions()) return true
  await run(process.execPath, [bin('playwright/cli.js'), 'install', 'chromium'])
  return (await chromiumLaunchOptions()) !== null
}
