import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../steps/run.mjs'

/**
 * A folder with the sources as they are now, uncommitted changes included, and the installed packages. Bugs are
 * planted there, never in the sources that somebody edits.
 */
export function copyOfSources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'engine-mutants-'))
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const name of listed.split('\0').filter((name) => name && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    copyFileSync(join(ROOT, name), join(folder, name))
  }
  link(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

// What tools keep there belongs to the other folder: transformed modules know its paths.
const LEFT_OUT = ['.cache', '.vite', '.vitest', '.vite-temp']

/** Hard links where the file system has them: the packages are large, and nothing writes to them. */
function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (LEFT_OUT.includes(entry.name)) continue
    if (entry.isDirectory()) link(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkOrCopy(source, target)
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to) // another file system
  }
}
