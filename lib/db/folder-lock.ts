import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describeSelf, type Holder, isAlive, parseHolder, startHeartbeat } from './lock-holder'

/**
 * Takes `dataDir` for this process: the embedded database has no lock of its own and two processes
 * on one folder lose each other's writes. A dead holder's lock is taken over. Answers the release.
 * Throws `FolderInUseError` with the holder when another process that lives has it.
 *
 * The lock is the file `lock.N` with the highest N. Nobody ever removes that one: a take-over makes
 * N + 1 (the file system lets one process do that), and a release only marks it as free. So a slow
 * starter that acts on what it saw earlier can't undo somebody's newer lock.
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

/** Who has `dataDir` open now, or null. A glance: only `lockFolder` decides. */
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

// Each failed attempt means that another starter got ahead, so a few are plenty.
const MAX_ATTEMPTS = 20
const LOCK_FILE = /^lock\.(\d+)$/

type Lock = { number: number; file: string; holder: Holder | null }

// Without the mark, whatever has such a name would be packed with the server.
const lockPath = (dataDir: string, number: number) =>
  join(/* turbopackIgnore: true */ resolve(dataDir), `lock.${number}`)

function newestLock(dataDir: string): Lock | null {
  const number = Math.max(0, ...lockNumbers(dataDir))
  if (number === 0) return null
  const file = lockPath(dataDir, number)
  const text = readOrNull(file)
  // Gone between two looks: a newer one has replaced it.
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

/** Makes lock `number` and tells whether it counts: false when it exists or a higher one does. */
function claim(dataDir: string, number: number): boolean {
  const file = lockPath(dataDir, number)
  const draft = `${file}.${process.pid}.${crypto.randomUUID()}`
  writeFileSync(draft, JSON.stringify(describeSelf()))
  try {
    linkSync(draft, file) // makes the whole file or fails: nobody ever reads half a lock
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

// No holder in it: `parseHolder` answers null.
const FREE = '{}'

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
