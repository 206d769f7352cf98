import { sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import type { InstallPlan, Refused } from '@/lib/archives/plugin-file'
import {
  apiKeys,
  entities,
  entityTotalChanges,
  entityTotals,
  entityTypes,
  pendingPluginRecords,
  pluginChanges,
  pluginDefinitionChanges,
  pluginRecords,
  policies,
  recordComments,
  recordEvents,
  recordVersions,
  roles,
  savedViews,
  schemas,
  searchShapes,
  trashBatches,
  trashRecords,
  webhooks,
} from '@/lib/db/schema'
import { type Db, rows } from '@/lib/db/sql'
import type { EntityDefinition, TableName } from '@/lib/definitions/definition'
import { copySchemaOf } from '@/lib/definitions/names'
import { AppError } from '@/lib/errors'
import type { FileReport } from '@/lib/installs/file-report'
import type { RegistryRow } from '@/lib/registry/registry-rows'
import type { Reference } from '@/lib/tables/plan-references'

/** The tables that installing a definition or data file reads and writes, apart from entities' tables. */
const REGISTRY = [entities, schemas, entityTypes, roles, policies, webhooks, trashBatches]

/** Written by an install and read by none. */
const CHANGES = [pluginChanges, pluginDefinitionChanges, trashRecords, recordVersions]

/** Only changed where names change or changes begin to be kept, which no outcome depends on. */
const ASIDE = [apiKeys, savedViews, searchShapes, recordEvents, recordComments]

/** Written when a table is changed or dropped, and read by nothing that installs. */
const TOTALS = [entityTotals, entityTotalChanges]

/** Copies have no triggers. */
const KEEPING = [
  'keep_total(regclass, bigint)',
  'keep_history(regclass, text, text, text)',
  'stop_history(regclass)',
  'keep_events(regclass, text, text, text)',
  'stop_events(regclass)',
]

/** What indexes and searches are made of. */
const WORDS = ['words(text)', 'words_query(text[], text, boolean)']

/** Copies the registry into the schema that replaces its own. */
export async function copyRegistry(tx: Db, parked: string, pluginId: string): Promise<void> {
  await tx.execute(sql`create collation engine.natural from ${sql.identifier(parked)}.natural`)
  for (const signature of WORDS)
    await tx.execute(
      sql`alter function ${sql.identifier(parked)}.${sql.raw(signature)} set schema engine`,
    )
  for (const table of REGISTRY) {
    const name = sql.identifier(getTableConfig(table).name)
    const source = sql`${sql.identifier(parked)}.${name}`
    await tx.execute(sql`create table engine.${name} (like ${source} including all)`)
    await tx.execute(sql`insert into engine.${name} select * from ${source}`)
  }
  for (const table of TOTALS) {
    const name = sql.identifier(getTableConfig(table).name)
    await tx.execute(
      sql`create table engine.${name} (like ${sql.identifier(parked)}.${name} including identity)`,
    )
  }
  for (const signature of KEEPING)
    await tx.execute(
      sql`create function engine.${sql.raw(signature)} returns void language sql as 'select'`,
    )
  for (const table of [...CHANGES, pluginRecords, pendingPluginRecords]) {
    const name = sql.identifier(getTableConfig(table).name)
    const source = sql`${sql.identifier(parked)}.${name}`
    await tx.execute(sql`create table engine.${name} (like ${source} including all)`)
  }
  for (const table of ASIDE) {
    const name = sql.identifier(getTableConfig(table).name)
    await tx.execute(
      sql`create view engine.${name} as select * from ${sql.identifier(parked)}.${name}`,
    )
    for (const change of ['insert', 'update', 'delete'])
      await tx.execute(
        sql`create rule ${sql.identifier(`no_${change}`)} as on ${sql.raw(change)} to engine.${name} do instead nothing`,
      )
  }
  await tx.execute(sql`insert into ${pluginRecords}
    select * from ${sql.identifier(parked)}.plugin_records where plugin_id = ${pluginId}::text or source is not null`)
  await tx.execute(sql`analyze ${pluginRecords}`)
}

/** The name that the schema of the registry has meanwhile. */
export const PARKED = 'engine_parked'

/**
 * Renames the schema of the registry and creates an empty one in its place. No other transaction sees it, and it takes no
 * lock on tables: only creating tables in it waits, which migrations do, and other dry runs. The transaction must be rolled back.
 */
export async function parkRegistry(tx: Db): Promise<void> {
  await requireOwned(tx, 'engine')
  await tx.execute(sql`alter schema engine rename to ${sql.identifier(PARKED)}`)
  await tx.execute(sql`create schema engine`)
  await tx.execute(sql.raw(`set local search_path = "$user", public, ${PARKED}`))
}

/** The schemas that hold the copies of a dry run, by those of the originals. */
export type CopiedSchemas = ReadonlyMap<string, string>

/**
 * Creates a schema for the copies of each schema. The originals keep their names: renaming a schema keeps others from
 * creating tables in it. Throws `unprocessable` for a schema that the database user does not own.
 */
export async function copySchemas(tx: Db, names: readonly string[]): Promise<CopiedSchemas> {
  const copies = new Map<string, string>()
  for (const name of new Set(names)) {
    await requireOwned(tx, name)
    const copy = copySchemaOf(name)
    await tx.execute(sql`create schema ${sql.identifier(copy)}`)
    copies.set(name, copy)
  }
  const originals = Object.fromEntries([...copies].map(([original, copy]) => [copy, original]))
  await tx.execute(
    sql`select set_config('engine.parked', ${JSON.stringify(originals)}::text, true)`,
  )
  return copies
}

/** Throws `unprocessable` for a schema that exists and that the database user does not own. */
async function requireOwned(tx: Db, name: string): Promise<void> {
  const query = sql`select pg_has_role(nspowner, 'USAGE') as owned from pg_namespace where nspname = ${name}`
  const [found] = await rows<{ owned: boolean }>(tx, query)
  if (found && !found.owned) throw new AppError('unprocessable', notOwned(name))
}

const notOwned = (name: string) =>
  `A dry run needs the database user to own the schema "${name}"; install the archive without one`

/** Makes the copied registry name the copies. */
export async function renameInRegistry(tx: Db, copies: CopiedSchemas): Promise<void> {
  for (const [original, copy] of copies)
    await tx.execute(sql`update ${entities} set table_schema = ${copy}::text,
      definition = jsonb_set(definition, '{table,schema}', to_jsonb(${copy}::text), false) where table_schema = ${original}::text`)
}

export const copyOfTable = (copies: CopiedSchemas, { schema, name }: TableName): TableName => ({
  schema: copies.get(schema) ?? schema,
  name,
})

const copyOfDefinition = <D extends Pick<EntityDefinition, 'table'>>(
  copies: CopiedSchemas,
  definition: D,
): D => ({ ...definition, table: copyOfTable(copies, definition.table) })

export const copyOfRow = (copies: CopiedSchemas, { row, ...rest }: RegistryRow): RegistryRow => ({
  ...rest,
  row: {
    ...row,
    tableSchema: copies.get(row.tableSchema) ?? row.tableSchema,
    definition: copyOfDefinition(copies, row.definition),
    isDistributed: false,
  },
})

export const copyOfReference = (
  copies: CopiedSchemas,
  { table, reference }: Reference,
): Reference => ({
  table: copyOfTable(copies, table),
  reference: { ...reference, target: copyOfTable(copies, reference.target) },
})

const copyOfRefused = (copies: CopiedSchemas, { name, item }: Refused): Refused => ({
  name,
  item: item && 'table' in item ? copyOfDefinition(copies, item) : item,
})

/** The plan with the names of the copies. */
export const copyOfPlan = (copies: CopiedSchemas, plan: InstallPlan): InstallPlan => ({
  ...plan,
  files: plan.files.map((file) => {
    const { definitions, refused } = file
    if (refused) return { ...file, refused: refused.map((one) => copyOfRefused(copies, one)) }
    if (definitions?.kind !== 'entity') return file
    const items = definitions.items.map((item) => copyOfDefinition(copies, item))
    return { ...file, definitions: { ...definitions, items } }
  }),
})

/** The report with the names of the originals. */
export function inOriginalNames(copies: CopiedSchemas, report: FileReport): FileReport {
  const words = (text: string) =>
    [...copies].reduce((left, [original, copy]) => left.replaceAll(copy, original), text)
  const details = (all: FileReport['details']) =>
    all.map((one) => ({ ...one, message: words(one.message) }))
  return {
    ...report,
    error: report.error === null ? null : words(report.error),
    details: details(report.details),
    groups: report.groups.map((group) => ({ ...group, message: words(group.message) })),
    warnings: details(report.warnings),
    changes: report.changes.map(words),
  }
}
