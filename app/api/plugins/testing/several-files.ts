import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { DELETE } from '@/app/api/entities/[entityName]/batch/route'
import { rows } from '@/lib/db/sql'
import type { InstallPreview } from '@/lib/installs/plan-contract'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { type Files, install, type Log, upload } from './plugin-api'
import { table } from './upgrades'
import { deps, text, type Version, version } from './versions'

const NAMES = ['a', 'b', 'c', 'd'] as const
const A_FILE = 3

/** Data file → its records. */
export type Records = Partial<Record<(typeof NAMES)[number], object[]>>

/** Three records for each of four files; `more`: what a record has besides its name. */
export const twelve = (more: (n: number) => object = (n) => ({ id: n })): Records =>
  Object.fromEntries(
    NAMES.map((name, file) => [
      name,
      Array.from({ length: A_FILE }, (_, at) => {
        const n = file * A_FILE + at + 1
        return { name: `Thing ${n}`, ...more(n) }
      }),
    ]),
  )

/** A version of a plugin whose records are in several files. */
export function shared(records: Records, more: Version = {}): Files {
  const files = Object.entries(records).map(([name, list]) => [`${name}.json`, list])
  const properties = [text('name'), text('note')]
  const data = pluginFiles({ Thing: { files: Object.fromEntries(files) } })
  return { ...version({ properties, ...more }), ...data }
}

const ofData = (all: readonly Log[]) => all.filter(({ target }) => target === 'Thing')

/** Installs after a dry run with the same reports, and returns those of the data files. */
export async function installShared(files: Files, query = ''): Promise<Log[]> {
  const { body } = await upload(deps, files, { query: `?dryRun=true${query}` })
  const plan: InstallPreview = body.data.plan
  const { logs } = await install(deps, files, { query: query.replace('&', '?') })
  const essence = ({ path, status, error, records, deleted, removed, conflictCount }: Log) => ({
    ...{ path, status, error, records, deleted, removed, conflictCount },
  })
  expect(ofData(plan.files).map(essence)).toEqual(ofData(logs).map(essence))
  return ofData(logs)
}

/** The counts of all files together. */
export function sumOf(logs: readonly Log[]) {
  const sum = (value: (log: Log) => number) => logs.reduce((all, log) => all + value(log), 0)
  return {
    created: sum(({ records }) => records.created),
    updated: sum(({ records }) => records.updated),
    unchanged: sum(({ records }) => records.unchanged),
    kept: sum(({ deleted }) => deleted.kept),
    restored: sum(({ deleted }) => deleted.restored),
  }
}
export const NONE = { created: 0, updated: 0, unchanged: 0, kept: 0, restored: 0 }

/** Deletes all records by the API. */
export async function empty(): Promise<void> {
  const { status } = await call(deps, DELETE, {
    method: 'DELETE',
    path: '/api/entities/Thing/batch',
    params: { entityName: 'Thing' },
    body: { entity: 'Thing' },
    as: 'ADMIN',
  })
  expect(status).toBe(200)
}

/** Deletes by SQL those of the twelve that `condition` says. */
export const deleteWhere = (condition: string) =>
  deps.db.execute(sql`delete from ${table} where ${sql.raw(condition)}`)

export const stored = () =>
  rows<{ id: string; name: string }>(
    deps.db,
    sql`select id::text, name from ${table} order by name`,
  )
