import { existsSync, readFileSync } from 'node:fs'
import { ROOT, run, StepError } from './run.mjs'

/** Runs `npm ci` unless everything package-lock.json names is installed. */
export async function installPackages() {
  if (isInstalled()) return
  process.stdout.write('Installing packages (npm ci)\n')
  // npm is a script on some systems and a command file on others: the npm that runs this script
  // sets it.
  const npm = process.env.npm_execpath
  const code = npm
    ? await run(process.execPath, [npm, 'ci', '--no-audit', '--no-fund'])
    : await run('npm', ['ci', '--no-audit', '--no-fund'])
  if (code !== 0) throw new StepError('npm ci failed: see its output above.')
}

function isInstalled() {
  const wanted = readPackages('package-lock.json')
  const present = readPackages('node_modules/.package-lock.json')
  if (!wanted || !present) return false
  // Optional packages are those of other platforms, most of them.
  const needed = Object.entries(wanted).filter(([path, { optional }]) => path && !optional)
  return needed.every(
    ([path, { version }]) =>
      present[path]?.version === version && existsSync(`${ROOT}${path}/package.json`),
  )
}

/** @returns {Record<string, { version?: string, optional?: boolean }> | null} path → package */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(ROOT + file, 'utf8')).packages
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}
