import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { folderHolder } from './folder-lock'
import { maintain, openPglite } from './pglite'
import { rows } from './rows'

const folder = mkdtempSync(join(tmpdir(), 'engine-pglite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what was written is there after close and reopen, and the folder is free in between', async () => {
  const image = new Blob([await readFile(inject('pgliteImage'))])
  const first = await openPglite(folder, image)
  await expect(openPglite(folder)).rejects.toThrow(`open in process ${process.pid}`)
  await first.db.execute(sql`create table public.kept as select generate_series(1, 1000) as n`)
  await first.close()
  expect(await folderHolder(folder)).toBeNull()

  const second = await openPglite(folder)
  expect(await rows(second.db, sql`select count(*)::int as n from public.kept`)).toEqual([
    { n: 1000 },
  ])
  await second.close()
})

test('the upkeep reclaims what deleted rows took, and never throws', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const client = await PGlite.create()
  await client.exec('create table t as select generate_series(1, 5000) as n; delete from t')
  const size = async () => (await client.query<{ n: number }>(SIZE)).rows[0]?.n
  expect(await size()).toBeGreaterThan(100_000)
  await maintain(client)
  expect(await size()).toBe(0)
  expect(warn).not.toHaveBeenCalled()
  await client.close()
  await maintain(client)
  expect(warn).toHaveBeenCalledOnce()
})

const SIZE = `select pg_relation_size('t')::int as n`
