import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

type Holder = { pid: number; startedAt: string; processStart: string }

/**
 * Takes `dataDir` for this process: the embedded database has no lock of its own and two processes
 * on one folder lose each other's writes. A dead holder's lock is taken over. Answers the release.
 * Throws with the holder's pid when another process that lives has it.
 */
export async function lockFolder(dataDir: string): Promise<() => void> {
  const file = join(resolve(dataDir), 'lock')
  const mine = `${file}.${process.pid}`
  const content = JSON.stringify({
    pid: process.pid,
    startedAt: new Date().toISOString(),
    processStart: processStart(process.pid),
  })
  writeFileSync(mine, content)
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (tryLink(mine, file)) return releaseOf(file, content)
      const text = readOrNull(file)
      const holder = text === null ? null : parseHolder(text)
      if (holder && isAlive(holder)) throw new FolderInUseError(dataDir, holder)
      removeIfUnchanged(file, text)
    }
    throw new Error(`Could not lock the data folder ${dataDir}`)
  } finally {
    rmSync(mine, { force: true })
  }
}

export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
  constructor(dataDir: string, holder: Holder) {
    super(
      `The data folder ${resolve(dataDir)} is open in process ${holder.pid} since ${holder.startedAt}. Stop that process, or set DATA_DIR to another folder.`,
    )
  }
}

// A link either makes the whole file or fails: nobody ever reads half a lock.
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function removeIfUnchanged(file: string, text: string | null): void {
  if (text !== null && readOrNull(file) === text) rmSync(file, { force: true })
}

function releaseOf(file: string, content: string): () => void {
  const release = () => removeIfUnchanged(file, content)
  process.once('exit', release)
  return () => {
    process.removeListener('exit', release)
    release()
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const value = JSON.parse(text) as Holder
    return Number.isInteger(value.pid) && value.pid > 0 ? value : null
  } catch {
    return null // a lock nobody could have written whole belongs to nobody
  }
}

// A pid is used again after a restart (in a container it always is): its start tells them apart.
function isAlive({ pid, processStart: start }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return !start || start === processStart(pid)
}

/** Clock ticks since boot at which `pid` started, with the boot's id; empty where /proc is absent. */
function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return ''
  }
}
