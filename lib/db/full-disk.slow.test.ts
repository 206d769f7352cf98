import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { isDiskFull, isReadOnly, isUnavailable } from './errors'
import { openPglite } from './pglite'
import { type Database, type Db, rows } from './sql'

const mounts: string[] = []
afterAll(() => {
  for (const folder of mounts) {
    spawnSync('umount', [folder])
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A folder on a disk of its own, or null where this process may not mount one. */
function smallDisk(mib: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'engine-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', folder])
  if (status !== 0) return null
  mounts.push(folder)
  return folder
}

const probe = smallDisk(1)
if (!probe) console.warn('SKIPPED: tests of a full disk need the right to mount a file system')

const fillUp = (folder: string, leave: number) => {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize - leave))
}
const makeRoom = (folder: string) => rmSync(join(folder, 'filler'))
const update = (db: Db) => db.execute(sql`update public.kept set n = n + 1`)
const failure = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error)

describe.skipIf(!probe)('the embedded database on a full disk', () => {
  let folder: string
  let database: Database
  beforeAll(async () => {
    folder = smallDisk(240) as string
    database = await openPglite(folder, inject('pgliteImage'))
    await database.db.execute(
      sql`create table public.kept as select n, repeat('x', 500) as text from generate_series(1, 1000) n`,
    )
  })
  afterAll(() => database.close())

  const stored = () =>
    rows<{ n: number }>(database.db, sql`select count(*)::int as n from public.kept`)
  const takesChanges = async () => (await failure(update(database.db))) === null

  test('refuses changes while little is left, serves reads, and continues when there is space', async () => {
    fillUp(folder, 1024 * 1024)
    await expect.poll(() => failure(update(database.db)).then(isReadOnly)).toBe(true)
    expect(await stored()).toEqual([{ n: 1000 }])
    makeRoom(folder)
    await expect.poll(takesChanges).toBe(true)
  })

  test('keeps what was stored when a change finds no space, and serves reads', async () => {
    const growing = database.db.transaction(async (tx) => {
      await update(tx)
      fillUp(folder, 1024 * 1024)
      await tx.execute(
        sql`insert into public.kept select n, repeat('x', 500) from generate_series(1, 20000) n`,
      )
    })
    expect(isDiskFull(await failure(growing))).toBe(true)
    expect(await stored()).toEqual([{ n: 1000 }])
    makeRoom(folder)
    await expect.poll(takesChanges).toBe(true)
  })

  test('is opened again when PostgreSQL gives up, reads and, with room, takes changes', async () => {
    const panicking = database.db.transaction(async (tx) => {
      await update(tx)
      fillUp(folder, 1024 * 1024)
      for (let round = 0; round < 20; round++) {
        await tx.execute(sql`update public.kept set n = n where n < 10`)
        await tx.execute(sql`select pg_switch_wal()`)
      }
    })
    expect(isUnavailable(await failure(panicking))).toBe(true)
    expect(await stored()).toEqual([{ n: 1000 }])
    expect(isReadOnly(await failure(update(database.db)))).toBe(true)
    makeRoom(folder)
    await expect.poll(takesChanges).toBe(true)
    expect(await stored()).toEqual([{ n: 1000 }])
  })
})

test.skipIf(!probe)('a disk that is too small is refused in words', async () => {
  const folder = smallDisk(20) as string
  await expect(openPglite(folder)).rejects.toThrow(
    /^The embedded database in .* can't be opened: the disk of .* has \d+ MiB free and a new database needs 128 MiB; make room, or set DATA_DIR/,
  )
})
