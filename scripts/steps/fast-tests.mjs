import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './run.mjs'

const FOLDERS = ['app', 'lib', 'components', 'scripts']
const TEST = /\.test\.tsx?$/
/** What a test imports that opens a database, starts a process or calls a handler. */
const SLOW_IMPORT =
  /lib\/testing\/(?!archive|define)|'node:(child_process|http|net)'|[Pp]glite|openPostgres/
/** What tests share in a folder beside them. */
const SHARED_IMPORT = /from '(\.{1,2}\/[^']+)'/g
const SHARED = /\/testing\//
const SOURCE = /^(app|components|lib|scripts)\/.*\.(ts|tsx|mjs)$/

/** Test files that take milliseconds: of pure functions, parsers, components. */
export function pureTests() {
  const tests = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .map((name) => join(folder, name))
      .filter((name) => TEST.test(name) && !name.includes('.slow.')),
  )
  return tests.filter((name) => isPure(name))
}

/** Neither the file nor what it imports from folders `testing` has a slow import. */
function isPure(file) {
  const text = readFileSync(join(ROOT, file), 'utf8')
  if (SLOW_IMPORT.test(text)) return false
  const imported = [...text.matchAll(SHARED_IMPORT)].map(([, to]) =>
    join(dirname(file), `${to}.ts`),
  )
  return imported.filter((name) => SHARED.test(name) && existsSync(join(ROOT, name))).every(isPure)
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
