#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// The reader of the output may close it early, as `head` does.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1))

const root = fileURLToPath(new URL('..', import.meta.url))
// npm runs scripts in the package's folder, and says where it was called.
const isScript = process.env.npm_lifecycle_event === 'plugin'
const cwd = (isScript && process.env.INIT_CWD) || process.cwd()
const built = await isBuilt()
process.chdir(built ? join(root, 'dist') : root) // threads start from files below it
const { main } = await (built ? import('../dist/engine.mjs') : fromSources())
process.exitCode = await main(process.argv.slice(2), cwd)

/** A package has the bundle alone; in a checkout, it must be newer than the sources. */
async function isBuilt() {
  if (!existsSync(join(root, 'bin', 'main.ts'))) return true
  const { isCliBuilt } = await import('../scripts/steps/build.mjs')
  return isCliBuilt()
}

async function fromSources() {
  const { tsImport } = await import('tsx/esm/api').catch(() => {
    throw new Error('The command has to be built: npm ci, then npm run build')
  })
  const tsconfig = join(root, 'bin', 'tsconfig.json')
  return tsImport('./main.ts', { parentURL: import.meta.url, tsconfig })
}
