import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'

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

/** The process in a lock file. The last three are empty on systems without /proc. */
export type Holder = {
  pid: number
  host: string
  /** ISO 8601, for people. */
  startedAt: string
  /** Clock ticks since boot at which the process started. */
  processStart: string
  bootId: string
  /** In another container the same pid is another process. */
  pidNamespace: string
}

export const describeSelf = (): Holder => ({
  pid: process.pid,
  host: hostname(),
  startedAt: new Date().toISOString(),
  processStart: processStart(process.pid),
  bootId: bootId(),
  pidNamespace: pidNamespace(),
})

/** Null for a lock that is released or malformed. */
export function parseHolder(text: string): Holder | null {
  try {
    const { pid, host, startedAt, processStart, bootId, pidNamespace } = JSON.parse(text)
    if (!Number.isInteger(pid) || pid <= 0) return null
    const rest = { host, startedAt, processStart, bootId, pidNamespace }
    if (Object.values(rest).some((value) => typeof value !== 'string')) return null
    return { pid, ...rest } as Holder
  } catch {
    return null
  }
}

const HEARTBEAT_MS = 2_000
/** A holder's event loop may be busy for a while, but not for this long. */
const WAIT_LIMIT_MS = 20_000

/** Touches `file` periodically, for processes that can't see the pid of this one. */
export function startHeartbeat(file: string): () => void {
  const beat = () => {
    try {
      utimesSync(file, new Date(), new Date())
    } catch {
      // The folder was removed, or taken over after this process slept: nothing to keep alive.
    }
  }
  const timer = setInterval(beat, HEARTBEAT_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Whether the holder of the lock `file` lives. Known immediately for a process of this machine and
 * container; for any other this waits for a heartbeat, `waitLimitMs` at most.
 */
export async function isAlive(
  holder: Holder,
  file: string,
  waitLimitMs = WAIT_LIMIT_MS,
): Promise<boolean> {
  const verdict = judge(holder, describeSelf())
  if (verdict !== 'unknown') return verdict === 'alive'
  const seen = modifiedAt(file)
  for (const until = Date.now() + waitLimitMs; Date.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(250, waitLimitMs)))
    if (modifiedAt(file) !== seen) return true
  }
  return false
}

/** The state of `holder` as far as `self` can find out without waiting. */
export function judge(holder: Holder, self: Holder): 'alive' | 'dead' | 'unknown' {
  const sameHost = holder.host === self.host
  if (holder.bootId !== self.bootId) return sameHost && self.bootId ? 'dead' : 'unknown'
  if (holder.pidNamespace !== self.pidNamespace) return 'unknown'
  if (!self.bootId && !sameHost) return 'unknown'
  if (!processExists(holder.pid) || isZombie(holder.pid)) return 'dead'
  // Pids are reused, in a restarted container always: the start time distinguishes them.
  if (!self.processStart) return 'unknown'
  return processStart(holder.pid) === holder.processStart ? 'alive' : 'dead'
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function modifiedAt(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null
}

const bootId = () => orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
const pidNamespace = () => orEmpty(() => readlinkSync('/proc/self/ns/pid'))
const processStart = (pid: number) => orEmpty(() => statusOf(pid)[19] ?? '')

/** It has ended, and its parent does not ask how. */
const isZombie = (pid: number) => orEmpty(() => statusOf(pid)[0] ?? '') === 'Z'

/** The words of `/proc/<pid>/stat` after the name in parentheses, which may contain spaces. */
function statusOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function orEmpty(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
