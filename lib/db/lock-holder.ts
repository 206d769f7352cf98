import { readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs'
import { hostname } from 'node:os'

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
const PATIENCE_MS = 20_000

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
 * container; for any other this waits for a heartbeat, `patienceMs` at most.
 */
export async function isAlive(
  holder: Holder,
  file: string,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  const verdict = judge(holder, describeSelf())
  if (verdict !== 'unknown') return verdict === 'alive'
  const seen = modifiedAt(file)
  for (const until = Date.now() + patienceMs; Date.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(250, patienceMs)))
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
