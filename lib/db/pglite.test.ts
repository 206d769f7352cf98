import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, expect, inject, test } from 'vitest'
import { folderHolder } from './folder-lock'
import { openPglite } from './pglite'
import { rows } from './sql'

const folder = mkdtempSync(join(tmpdir(), 'engine-pglite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a new folder begins with the database of a compressed file', async () => {
  const home = join(folder, 'new')
  const image = join(folder, 'database.tar.gz')
  writeFileSync(image, gzipSync(readFileSync(inject('pgliteImage')), { level: 1 }))
  const { db, close } = await openPglite(home, image)
  // Unlike a database of PGlite's own making, that file has no templates.
  const names = sql`select datname as name from pg_database`
  expect(await rows(db, names)).toEqual([{ name: 'postgres' }])
  await close()
})

test('a damaged file of a database is replaced by one that is made anew', async () => {
  const image = join(folder, 'damaged.tar.gz')
  writeFileSync(image, gzipSync(Buffer.alloc(4096, 1)))
  const { db, close } = await openPglite(join(folder, 'damaged'), image)
  expect(await rows(db, sql`select datname as name from pg_database order by oid`)).toHaveLength(3)
  await close()
}, 60_000)

test('closing stops a statement that does not end, and what it began is undone', async () => {
  const home = join(folder, 'closed')
  const { db, close } = await openPglite(home, inject('pgliteImage'))
  await db.execute(sql`create table public.begun (n int)`)
  let isBegun = () => {}
  const begun = new Promise<void>((resolve) => {
    isBegun = resolve
  })
  const running = db
    .transaction(async (tx) => {
      await tx.execute(sql`insert into public.begun values (1)`)
      isBegun()
      await tx.execute(sql`select count(*) from generate_series(1, 1000000000)`)
    })
    .catch(() => 'stopped')
  await begun
  const from = performance.now()
  await close()
  expect(performance.now() - from).toBeLessThan(5_000)
  expect(await running).toBe('stopped')
  const again = await openPglite(home)
  expect(await rows(again.db, sql`select n from public.begun`)).toEqual([])
  await again.close()
}, 60_000)

test('what was written is there after close and reopen, and the folder is free in between', async () => {
  const first = await openPglite(folder, inject('pgliteImage'))
  await expect(openPglite(folder)).rejects.toThrow(`open in process ${process.pid}`)
  await first.db.execute(sql`create table public.kept as select generate_series(1, 1000) as n`)
  await first.close()
  expect(await folderHolder(folder)).toBeNull()

  const second = await openPglite(folder, inject('pgliteImage'))
  expect(await rows(second.db, sql`select count(*)::int as n from public.kept`)).toEqual([
    { n: 1000 },
  ])
  await second.close()
})
