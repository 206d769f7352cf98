import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { openPostgres } from '@/lib/db/postgres'
import { one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { maintainTotals } from '@/lib/layers/maintain-totals'
import { searchRecords } from '@/lib/search/search-records'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { onServer } from '@/lib/testing/on-server'
import { sessionUrl } from '@/lib/testing/second-instance'
import { findBinaries } from '../../../../scripts/steps/throwaway-postgres.mjs'

const deps = freshDeps()
const binaries = findBinaries()
if (testsOnPostgres() && !binaries)
  process.stderr.write('SKIPPED: pg_dump and pg_restore are not on this machine\n')
const tool = (name: string) => join(binaries ?? '', name)
const folder = mkdtempSync(join(tmpdir(), 'engine-dump-'))
const dump = join(folder, 'dump')
afterAll(() => rmSync(folder, { recursive: true }))

const total = async (on: Deps) =>
  (
    await searchRecords(on, 'Thing', {
      conditions: [],
      conditionsName: 'query',
      sort: [],
      page: 0,
      size: 1,
      count: 'exact',
    })
  ).pagination.total

const kept = async ({ db }: Deps) =>
  one(await rows<{ total: string }>(db, sql`select total::text from engine.current_totals`)).total

const insert = ({ db }: Deps, from: number, to: number) =>
  db.execute(
    sql.raw(`insert into entities.thing (id) select * from generate_series(${from}, ${to})`),
  )

describe.skipIf(!testsOnPostgres() || !binaries)('of a dump', () => {
  test('restored elsewhere, totals are those of the records restored', async () => {
    await installTestEntity(deps, { entity: { name: 'Thing', distribution: 'local' } })
    const url = await sessionUrl(deps)
    await insert(deps, 1, 50)
    await maintainTotals(deps)
    await insert(deps, 51, 60)
    execFileSync(tool('pg_dump'), ['-Fc', '-f', dump, url])
    await insert(deps, 61, 99)
    const name = `engine_restored_${crypto.randomUUID().replaceAll('-', '')}`
    await onServer(url, `create database ${name}`)
    const there = new URL(url)
    there.pathname = `/${name}`
    execFileSync(tool('pg_restore'), ['-d', there.href, dump])
    const { close, ...database } = await openPostgres({ url: there.href, poolSize: 2 })
    const other = { ...deps, ...database }
    try {
      expect(await total(other)).toBe(60)
      expect(await kept(other)).toBe('60')
      await insert(other, 61, 65)
      expect(await total(other)).toBe(65)
      await maintainTotals(other)
      expect(await kept(other)).toBe('65')
    } finally {
      await close()
      await onServer(url, `drop database ${name} with (force)`)
    }
  })

  test('of which only the tables of entities are put back, records are counted until totals are kept', async () => {
    await installTestEntity(deps, { entity: { name: 'Thing', distribution: 'local' } })
    const url = await sessionUrl(deps)
    await insert(deps, 1, 50)
    execFileSync(tool('pg_dump'), ['-Fc', '-f', dump, url])
    await insert(deps, 51, 60)
    expect(await total(deps)).toBe(60)
    execFileSync(tool('pg_restore'), ['-d', url, '--clean', '--if-exists', '-n', 'entities', dump])
    expect(await total(deps)).toBe(50)
    await insert(deps, 51, 52)
    expect(await total(deps)).toBe(52)
    await maintainTotals(deps)
    expect(await kept(deps)).toBe('52')
  })
})
