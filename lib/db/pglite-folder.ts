import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** PostgreSQL's own mark of a folder that holds a database. */
const MARK = 'PG_VERSION'

export const holdsDatabase = (folder: string): boolean => existsSync(join(folder, MARK))

/**
 * Makes the database of a new folder, by `make` in a folder within it (which may be a disk of its own): a process that
 * ends meanwhile leaves `folder` without a mark, and the next one begins again. The caller has the lock.
 */
export async function fillFolder(
  folder: string,
  make: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = join(folder, '.new')
  mkdirSync(folder, { recursive: true })
  rmSync(draft, { recursive: true, force: true })
  await make(draft)
  // The mark last: until then whatever was moved before is replaced.
  const names = readdirSync(draft).filter((name) => name !== MARK)
  for (const name of [...names, MARK]) {
    rmSync(join(folder, name), { recursive: true, force: true })
    renameSync(join(draft, name), join(folder, name))
  }
  rmSync(draft, { recursive: true })
}

/** How often the free room of the disk is looked up. */
export const LOOK_AT_DISK_MS = 1_000

const MIB = 1024 * 1024
/**
 * PostgreSQL stops when it can't begin a file of its log, of 16 MiB, and needs another to start.
 */
const RESERVE_BYTES = 32 * MIB
/** With less free space than this, changes are refused. */
const LOW_BYTES = 32 * MIB
/** A new database with its log and the reserve. */
const NEW_DATABASE_BYTES = 128 * MIB

/**
 * Disk space reserved for a database in `folder`, as a file beside it: deleted when the disk is
 * full nevertheless, so that the database can be opened and read until an operator frees space.
 */
export class DiskReserve {
  private readonly file: string

  constructor(private readonly folder: string) {
    this.file = `${folder}.reserve`
  }

  isLow(): boolean {
    return this.freeBytes() < LOW_BYTES
  }

  /**
   * Whether the database should refuse changes, depending on whether it does so now: as soon
   * as the disk is nearly full, and until there is room for the reserve too.
   */
  forbidsChanges(isForbidden: boolean): boolean {
    if (this.isLow()) return true
    return !this.keep() && isForbidden
  }

  /** Recreates the reserve when there is space for it; returns whether it exists. */
  private keep(): boolean {
    if (statSync(this.file, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return true
    if (this.freeBytes() < 2 * LOW_BYTES + RESERVE_BYTES) return false
    try {
      writeFileSync(this.file, Buffer.alloc(RESERVE_BYTES))
      return true
    } catch {
      this.giveUp()
      return false
    }
  }

  /** Returns whether there was a reserve to delete. */
  giveUp(): boolean {
    const isThere = statSync(this.file, { throwIfNoEntry: false }) !== undefined
    rmSync(this.file, { force: true })
    return isThere
  }

  /** Throws when there is no space for a new database. */
  requireRoomForNew(): void {
    const free = this.freeBytes()
    if (free >= NEW_DATABASE_BYTES) return
    throw new Error(
      `the disk of ${dirname(this.folder)} has ${inMib(free)} free and a new database needs ${inMib(NEW_DATABASE_BYTES)}; make room, or set DATA_DIR to a folder on another disk`,
    )
  }

  private freeBytes(): number {
    const { bavail, bsize } = statfsSync(dirname(this.folder))
    return bavail * bsize
  }
}

const inMib = (bytes: number) => `${Math.floor(bytes / MIB)} MiB`
