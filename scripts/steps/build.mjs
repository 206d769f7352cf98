import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin, ROOT, run, StepError } from './run.mjs'

// Next empties its folder when a build begins, so this file says that a build has come to its end.
const STAMP = join(ROOT, '.next', 'complete')
const SOURCES = [
  'app',
  'bin',
  'components',
  'drizzle',
  'lib',
  'public',
  'instrumentation.ts',
  'next.config.mjs',
  'package-lock.json',
  'postcss.config.mjs',
  'proxy.ts',
  'scripts/build-cli.mjs',
  'scripts/build-database.mjs',
  'scripts/build-server.mjs',
  'scripts/compress-scripts.mjs',
  'server.ts',
  'tsconfig.json',
]

/** Builds the production server, unless the last build is newer than every source. */
export async function buildIfStale() {
  const built = modified(STAMP)
  if (SOURCES.every((source) => newest(join(ROOT, source)) < built)) return
  process.stdout.write('Building\n')
  if ((await build()) !== 0) throw new StepError('The build failed: see its output above.')
  writeFileSync(STAMP, '')
}

/** Whether the bundle of the authors' command is newer than every source of it. */
export function isCliBuilt() {
  const built = modified(join(ROOT, 'dist', 'engine.mjs'))
  return ['bin', 'lib', 'package-lock.json'].every((source) => newest(join(ROOT, source)) < built)
}

/** `npm run build`: pages by Next, then the server, the authors' command and an empty database. Returns the exit code. */
export async function build(env = {}) {
  const all = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', ...env }
  const pages = [bin('next/dist/bin/next'), 'build']
  const scripts = [
    'compress-scripts.mjs',
    'build-server.mjs',
    'build-cli.mjs',
    'build-database.mjs',
  ]
  for (const step of [pages, ...scripts.map((script) => [join(ROOT, 'scripts', script)])]) {
    const code = await run(process.execPath, step, { env: all })
    if (code !== 0) return code
  }
  return 0
}

/** When `path` or anything below it last changed; a folder changes when an entry comes or goes. */
function newest(path) {
  const entry = statSync(path, { throwIfNoEntry: false })
  if (!entry?.isDirectory()) return entry?.mtimeMs ?? 0
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
