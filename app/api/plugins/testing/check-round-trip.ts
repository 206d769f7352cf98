import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { call } from '@/lib/testing/request'
import * as records from '../../entities/[entityName]/route'
import { type ApiEdit, editByApi } from './api-edits'
import { exportPlugin } from './export-api'
import { type Files, install, verdicts } from './plugin-api'
import { uninstall } from './uninstall-api'

const PLUGIN = 'com.example.shop'

/**
 * Installs the versions of a plugin, edits its records, exports and uninstalls it, and installs the export:
 * definitions, tables and records must be as they were. Returns false when nothing was compared.
 */
export async function checkRoundTrip(
  deps: Deps,
  versions: readonly Files[],
  edits: readonly ApiEdit[],
): Promise<boolean> {
  for (const files of versions) await install(deps, files)
  if ((await rows(deps.db, sql`select 1 from engine.plugins`)).length === 0) return false
  for (const edit of edits) await editByApi(deps, edit)
  // Values that refer to nothing may stay where a reference was added later; no archive can bring them.
  const loose = sql`select 1 from pg_constraint where not convalidated`
  if ((await rows(deps.db, loose)).length > 0) return false
  const before = await stateOf(deps)
  const exported = await exportPlugin(deps, PLUGIN)
  expect(exported.status).toBe(200)
  expect((await uninstall(deps, PLUGIN)).status).toBe(200)
  const { body, logs } = await install(deps, exported.bytes)
  const failed = logs.filter(({ status }) => status === 'failed')
  expect(failed).toEqual([])
  if (body.data) expect(body.message).toBe('Plugin installed')
  expect(Object.values(verdicts(logs)).filter((verdict) => verdict !== 'created')).toEqual([])
  expect(await stateOf(deps)).toEqual(before)
  expect((await exportPlugin(deps, PLUGIN)).files).toEqual(exported.files)
  return true
}

/** Definitions with their owners (without indexes of fields that are gone), constraints and indexes, and all records as the API returns them. */
async function stateOf(deps: Deps) {
  const names = await rows<{ name: string }>(
    deps.db,
    sql`select name from engine.entities order by 1`,
  )
  const all: Record<string, unknown> = {}
  for (const { name } of names) all[name] = await recordsOf(deps, name)
  return {
    records: all,
    definitions: await rows(deps.db, DEFINITIONS),
    constraints: await rows(deps.db, CONSTRAINTS),
    indexes: await rows(deps.db, INDEXES),
  }
}

/** Without the audit fields, which every install writes itself. */
async function recordsOf(deps: Deps, name: string) {
  const path = `/api/entities/${name}?size=1000`
  const { status, body } = await call(deps, records.GET, {
    path,
    as: 'ADMIN',
    params: { entityName: name },
  })
  expect(status).toBe(200)
  return body.data.map(
    ({
      CreatedAt: _,
      CreatedBy: __,
      LastUpdatedAt: ___,
      LastUpdatedBy: ____,
      ...rest
    }: object & Record<string, unknown>) => rest,
  )
}

const definitions = (table: string) =>
  sql`select ${table}::text as kind, name, plugin_id, definition - 'indexes' as definition from ${sql.raw(`engine.${table}`)}`

const DEFINITIONS = sql`${sql.join(
  ['entities', 'schemas', 'types', 'roles', 'policies'].map(definitions),
  sql` union all `,
)} order by 1, 2`
/** Shards, which the coordinator has of tables that are on every node, have numbers that no other ever has. */
const isShard = (table: string) => sql`${sql.raw(table)}::text ~ '_[0-9]{6,}$'`
const CONSTRAINTS = sql`
  select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition
  from pg_constraint where connamespace = 'entities'::regnamespace and not ${isShard('conrelid::regclass')} order by 1, 2`
const INDEXES = sql`select indexdef from pg_indexes
  where schemaname = 'entities' and not ${isShard('tablename')} order by 1`
