import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describeSelf, type Holder, isAlive, parseHolder, startHeartbeat } from './lock-holder'

/**
 * Locks `dataDir` for this process: the embedded database has no lock of its own, and two processes
 * on one folder lose each other's writes. Takes over the lock of a dead process. Returns the function
 * that releases it. Throws `FolderInUseError` with the holder when a live process has the lock.
 *
 * The lock is the file `lock.N` with the highest N. No process ever removes that file: a take-over
 * creates N + 1 (which succeeds for one process only), and a release marks the file as free. So a slow
 * process that acts on an outdated state can't undo the newer lock of another.
 */
export async function lockFolder(dataDir: string): Promise<() => void> {
  mkdirSync(dataDir, { recursive: true })
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const seen = newestLock(dataDir)
    if (seen?.holder && (await isAlive(seen.holder, seen.file)))
      throw new FolderInUseError(dataDir, seen.holder)
    const number = (seen?.number ?? 0) + 1
    if (claim(dataDir, number)) return hold(dataDir, number)
  }
  throw new Error(`Could not lock the data folder ${resolve(dataDir)}; try again`)
}

/** The process that has `dataDir` open now, or null. For information: only `lockFolder` decides. */
export async function folderHolder(dataDir: string): Promise<Holder | null> {
  const seen = newestLock(dataDir)
  return seen?.holder && (await isAlive(seen.holder, seen.file)) ? seen.holder : null
}

export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
  constructor(dataDir: string, { pid, host, startedAt }: Holder) {
    super(
      `The data folder ${resolve(dataDir)} is open in process ${pid} on ${host} since ${startedAt}. Stop that process, or set DATA_DIR to another folder.`,
    )
  }
}

// Each failed attempt means that another process was faster, so a few are enough.
const MAX_ATTEMPTS = 20
const LOCK_FILE = /^lock\.(\d+)$/

type Lock = { number: number; file: string; holder: Holder | null }

// Without the mark, the bundler would include files of such a name.
const lockPath = (dataDir: string, number: number) =>
  join(/* turbopackIgnore: true */ resolve(dataDir), `lock.${number}`)

function newestLock(dataDir: string): Lock | null {
  const number = Math.max(0, ...lockNumbers(dataDir))
  if (number === 0) return null
  const file = lockPath(dataDir, number)
  const text = readOrNull(file)
  // Removed meanwhile: a newer one has replaced it.
  return text === null ? newestLock(dataDir) : { number, file, holder: parseHolder(text) }
}

function lockNumbers(dataDir: string): number[] {
  try {
    return readdirSync(dataDir).flatMap((name) => Number(LOCK_FILE.exec(name)?.[1] ?? []))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Creates lock `number`; returns false when it or a higher one exists. */
function claim(dataDir: string, number: number): boolean {
  const file = lockPath(dataDir, number)
  const draft = `${file}.${process.pid}.${crypto.randomUUID()}`
  writeFileSync(draft, JSON.stringify(describeSelf()))
  try {
    linkSync(draft, file) // atomic: no process reads half a lock
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
  if (Math.max(...lockNumbers(dataDir)) === number) return true
  rmSync(file, { force: true })
  return false
}

function hold(dataDir: string, number: number): () => void {
  for (const older of lockNumbers(dataDir).filter((other) => other < number))
    rmSync(lockPath(dataDir, older), { force: true })
  const file = lockPath(dataDir, number)
  const stopHeartbeat = startHeartbeat(file)
  const release = () => {
    process.removeListener('exit', release)
    stopHeartbeat()
    if (newestLock(dataDir)?.number === number) writeFileSync(file, FREE)
  }
  process.once('exit', release)
  return release
}

// Without a holder, for which `parseHolder` returns null.
const FREE = '{}'

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
