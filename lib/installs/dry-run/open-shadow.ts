import { notInArray, sql } from 'drizzle-orm'
import { shadowScope } from '@/lib/archives/plan-scope'
import { type InstallPlan, itemsOf, type PlannedFile } from '@/lib/archives/plugin-file'
import type { CopyOut } from '@/lib/db/copy-out'
import { readAndRelease } from '@/lib/db/read-and-release'
import { entities, schemas } from '@/lib/db/schema'
import { type Db, rows, tableSql } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'
import type { FileReport } from '@/lib/installs/file-report'
import { mergeEntity, type RegistryRow, selectEntities } from '@/lib/registry/registry-rows'
import type { Reference } from '@/lib/tables/plan-references'
import { storedReferences } from '@/lib/tables/stored-references'
import { relationExists } from '@/lib/tables/stored-tables'
import {
  type CopiedSchemas,
  copyOfPlan,
  copyOfReference,
  copyOfRow,
  copyOfTable,
  copyRegistry,
  copySchemas,
  inOriginalNames,
  PARKED,
  parkRegistry,
  renameInRegistry,
} from './copy-registry'
import { type Choice, type Copied, carryRecords, copyReference, copyTable } from './copy-table'

/** What a dry run uses in place of what it was given. */
type Shadow = {
  /** The copied entities by name. */
  shadowed: ReadonlyMap<string, Shadowed>
  /** The plan, about the copies. */
  plan: InstallPlan
  /** A report of it, about the originals. */
  inOriginalNames: (report: FileReport) => FileReport
}

/** An installed entity whose copy is in use; `isPartial`: only the requested records are there. */
export type Shadowed = Copied & { isPartial: boolean }

/** Up to this number of records an entity is copied whole, whatever is needed of it. */
const MAX_WHOLE = 10_000

/**
 * Replaces everything that installing a plan reads or writes by copies, so that the code that installs
 * can try it without locks or counters that affect others. The transaction must be
 * rolled back.
 */
export async function openShadow(tx: Db, copyOut: CopyOut, plan: InstallPlan): Promise<Shadow> {
  const { files, manifest } = plan
  const scope = shadowScope(
    files,
    await selectEntities(tx),
    (await tx.select().from(schemas)).map(({ definition }) => definition),
  )
  const wanted = tablesDefinedBy(files)
  const references = await storedReferences(tx)
  const foreign = await foreignTables(tx, wanted, scope.entities)
  const databaseSchemas = [
    ...scope.entities.map(({ row }) => row.tableSchema),
    ...wanted.map(({ schema }) => schema),
  ]
  await parkRegistry(tx)
  await copyRegistry(tx, PARKED, manifest.id)
  const copies = await copySchemas(tx, databaseSchemas)
  await renameInRegistry(tx, copies)
  const names = scope.entities.map(({ row }) => row.name)
  await tx.delete(entities).where(names.length > 0 ? notInArray(entities.name, names) : undefined)
  for (const table of foreign)
    await tx.execute(sql`create table ${tableSql(copyOfTable(copies, table))} ()`)
  const shadowed = new Map<string, Shadowed>()
  for (const one of scope.entities) {
    const copy = await copyEntity(tx, copyOut, one, { copies, whole: scope.whole })
    if (copy) shadowed.set(one.row.name, copy)
  }
  for (const reference of references.map((one) => copyOfReference(copies, one)))
    if (isBetween(reference, [...shadowed.values()])) await copyReference(tx, reference)
  return {
    shadowed,
    plan: copyOfPlan(copies, plan),
    inOriginalNames: (report) => inOriginalNames(copies, report),
  }
}

const tablesDefinedBy = (files: readonly PlannedFile[]): TableName[] =>
  itemsOf(files, 'entity').map(({ table }) => table)

const isSame = (a: TableName, b: TableName) => a.schema === b.schema && a.name === b.name

/** The names of existing tables that belong to no entity. */
async function foreignTables(
  tx: Db,
  tables: readonly TableName[],
  installed: readonly RegistryRow[],
): Promise<TableName[]> {
  const owned = installed.map(({ row }) => ({ schema: row.tableSchema, name: row.tableName }))
  const distinct = tables.filter(
    (one, at) => tables.findIndex((other) => isSame(one, other)) === at,
  )
  const found: TableName[] = []
  for (const table of distinct) {
    if (owned.some((own) => isSame(own, table))) continue
    if (await relationExists(tx, table)) found.push(table)
  }
  return found
}

/** Null for an entity whose table does not exist. */
async function copyEntity(
  tx: Db,
  copyOut: CopyOut,
  original: RegistryRow,
  { copies, whole }: { copies: CopiedSchemas; whole: ReadonlySet<string> },
): Promise<Shadowed | null> {
  const { row, schema } = copyOfRow(copies, original)
  const entity = mergeEntity(row, schema)
  const source = { schema: original.row.tableSchema, name: row.tableName }
  if (!(await relationExists(tx, source))) return null
  const isComputed = (column: string) =>
    entity.properties.some(({ name, rules }) => name === column && rules.computed !== undefined)
  const columns = row.columns.filter(({ name }) => !isComputed(name))
  await copyTable(tx, entity, columns, source)
  // Also waits here, for a limited time, for who has locked the original.
  const large = await readAndRelease(tx, (inner) => isLarge(inner, source))
  const { isDistributed } = original.row
  const isPartial = large && !whole.has(row.name)
  const copied = { entity, columns, source, isDistributed, isPartial }
  await carryRecords(
    tx,
    copyOut,
    copied,
    copied.isPartial ? await firstRecord(tx, source) : undefined,
  )
  return copied
}

/** Of a part, one record is copied, so that the copy is not taken for an empty table. */
async function firstRecord(tx: Db, source: TableName): Promise<Choice> {
  const query = sql`select ctid::text as place from ${tableSql(source)} limit 1`
  const [found] = await readAndRelease(tx, (inner) => rows<{ place: string }>(inner, query))
  return (table) => sql`${table} as t where t.ctid = ${found?.place ?? '(0,0)'}::text::tid`
}

async function isLarge(tx: Db, table: TableName): Promise<boolean> {
  const beyond = sql`select 1 from ${tableSql(table)} offset ${MAX_WHOLE}::int limit 1`
  return (await rows(tx, beyond)).length > 0
}

const isBetween = ({ table, reference }: Reference, shadowed: readonly Shadowed[]) =>
  [table, reference.target].every((one) => shadowed.some(({ entity }) => isSame(entity.table, one)))
