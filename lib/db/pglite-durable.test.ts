import { fsyncSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { afterAll, expect, inject, test } from 'vitest'
import { openPglite } from './pglite'
import { durableOptions, syncFolder } from './pglite-durable.mjs'
import { rows } from './sql'

const root = mkdtempSync(join(tmpdir(), 'engine-durable-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Paths of what the disk was asked to keep, below the folder of the database. */
const synced: string[] = []
const folder = join(root, 'counted')
const sync = (descriptor: number) => {
  synced.push(readlinkSync(`/proc/self/fd/${descriptor}`).slice(folder.length + 1))
  fsyncSync(descriptor)
}

test.runIf(process.platform === 'linux')(
  'each commit asks the disk to keep the log, once, before it is acknowledged; reads ask nothing',
  async () => {
    const image = new Blob([await readFile(inject('pgliteImage'))])
    const database = await PGlite.create({ ...durableOptions(folder, sync), loadDataDir: image })
    const syncsOf = async (text: string) => {
      synced.length = 0
      await database.exec(text)
      return [...synced]
    }
    const log = [expect.stringMatching(/^pg_wal\/[0-9A-F]{24}$/)]
    expect(await syncsOf('create table public.kept (n int)')).not.toEqual([])
    expect(await syncsOf('insert into public.kept values (1)')).toEqual(log)
    const many = 'insert into public.kept select generate_series(1, 10);'
    expect(await syncsOf(`begin; ${many} ${many} commit`)).toEqual(log)
    expect(await syncsOf('select * from public.kept')).toEqual([])
    expect(await syncsOf('checkpoint')).toEqual(
      expect.arrayContaining(['global/pg_control', expect.stringMatching(/^base\/\d+\/\d+$/)]),
    )
    await database.close()
  },
)

test.runIf(process.platform === 'linux')('what was there before is synchronized in whole', () => {
  synced.length = 0
  syncFolder(folder, sync)
  expect(synced).toEqual(expect.arrayContaining(['PG_VERSION', 'pg_wal', 'global/pg_control', '']))
})

test.each([
  [true, 'on'],
  [false, 'off'],
])('PostgreSQL waits for the disk when that is asked for (%s)', async (isDurable, fsync) => {
  const home = join(root, String(isDurable))
  const open = (image?: string) => openPglite(home, image, isDurable)
  for (const image of [inject('pgliteImage'), undefined]) {
    const { db, close } = await open(image)
    expect(await rows(db, sql`show fsync`)).toEqual([{ fsync }])
    await close()
  }
})
