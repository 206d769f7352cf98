import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { EXTRA_COLUMN, type TableName } from '@/lib/definitions/definition'
import type { RenamedObject, StepOf } from '@/lib/tables/ddl-step'

const id = (name: string) => sql.identifier(name)

/** The statements of a step that renames. */
export function renameSql(step: StepOf<'rename-table' | 'rename-column' | 'rename-extra'>): SQL[] {
  const table = tableSql(step.table)
  if (step.type === 'rename-extra') {
    const extra = id(EXTRA_COLUMN)
    // Of immutable functions, which alone the nodes of a cluster apply in an update.
    const value = sql`jsonb_set(${extra} - ${step.from}::text, array[${step.to}::text], ${extra} -> ${step.from}::text)`
    return [sql`update ${table} set ${extra} = ${value} where ${extra} ? ${step.from}::text`]
  }
  if (step.type === 'rename-column')
    return [
      sql`alter table ${table} rename column ${id(step.column)} to ${id(step.to)}`,
      ...renameObjects(step.table, step.objects),
    ]
  return [...renameTable(step.table, step.to), ...renameObjects(step.to, step.objects)]
}

function renameTable(from: TableName, to: TableName): SQL[] {
  const moved = tableSql({ schema: to.schema, name: from.name })
  return [
    ...(from.schema === to.schema
      ? []
      : [
          sql`create schema if not exists ${id(to.schema)}`,
          sql`alter table ${tableSql(from)} set schema ${id(to.schema)}`,
        ]),
    ...(from.name === to.name ? [] : [sql`alter table ${moved} rename to ${id(to.name)}`]),
  ]
}

/** Those that do not exist, such as an index that is not built yet, get their name when they are made. */
const renameObjects = ({ schema }: TableName, objects: readonly RenamedObject[]): SQL[] =>
  objects.map(
    ({ kind, from, to }) =>
      sql`alter ${sql.raw(kind)} if exists ${tableSql({ schema, name: from })} rename to ${id(to)}`,
  )
