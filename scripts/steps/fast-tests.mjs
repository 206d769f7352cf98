import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './run.mjs'

const FOLDERS = ['app', 'lib', 'components', 'scripts']
const TEST = /\.test\.tsx?$/
/** What a test imports that opens a database, starts a process or calls a handler. */
const SLOW_IMPORT =
  /lib\/testing\/(?!archive|define)|'node:(child_process|http|net)'|[Pp]glite|openPostgres/
const SOURCE = /^(app|components|lib|scripts)\/.*\.(ts|tsx|mjs)$/

/** Test files that take milliseconds: of pure functions, parsers, components. */
export function pureTests() {
  const tests = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .map((name) => join(folder, name))
      .filter((name) => TEST.test(name) && !name.includes('.slow.')),
  )
  return tests.filter((name) => !SLOW_IMPORT.test(readFileSync(join(ROOT, name), 'utf8')))
}

/** Sources that differ from the last commit, new ones included; none outside a Git checkout. */
export function changedSources() {
  const { stdout, status } = spawnSync('git', ['status', '--porcelain', '-uall', '--no-renames'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (status !== 0) return []
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith(' D'))
  return lines.map((line) => line.slice(3)).filter((name) => SOURCE.test(name))
}
