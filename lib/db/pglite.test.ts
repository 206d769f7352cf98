import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, inject, test } from 'vitest'
import { folderHolder } from './folder-lock'
import { openPglite } from './pglite'
import { rows } from './rows'

const folder = mkdtempSync(join(tmpdir(), 'engine-pglite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what was written is there after close and reopen, and the folder is free in between', async () => {
  const first = await openPglite(folder, inject('pgliteImage'))
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
