import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/rows'
import { entities } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { EntityDefinition, TableName } from '@/lib/definitions/definition'
import { copySchemaOf } from '@/lib/definitions/names'
import { AppError } from '@/lib/errors'
import type { FileReport } from '@/lib/plugins/file-report'
import type { InstallPlan, Refused } from '@/lib/plugins/plugin-file'
import type { RegistryRow } from '@/lib/registry/registry-rows'
import type { Reference } from '@/lib/tables/plan-references'

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
export async function requireOwned(tx: Db, name: string): Promise<void> {
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
