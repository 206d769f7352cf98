import { sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { DefinitionError } from '@/lib/definitions/definition-error'
import type { StoredTable } from '../column-spec'

/**
 * A field that takes over the values of another. `isExtra`: the former one is undeclared. `replaces`:
 * an empty column already has the new name.
 */
export type FieldRename = { from: string; to: string; isExtra: boolean; replaces: boolean }

/** The renames that a definition asks for, as far as the former names exist; by names alone. */
export function wantedRenames(
  { columns, entity: before }: StoredTable,
  { properties }: Pick<Entity, 'properties'>,
): FieldRename[] {
  const declared = new Set(properties.map(({ name }) => name))
  const stored = new Set(columns.map(({ name }) => name))
  const taken = new Set<string>()
  return properties.flatMap(({ name: to, renamedFrom = [] }): FieldRename[] => {
    const isFree = (name: string) => !declared.has(name) && !taken.has(name)
    const isUndeclared = (name: string) =>
      before.open && before.extraFields.includes(name) && !stored.has(to)
    const from =
      renamedFrom.find((name) => isFree(name) && stored.has(name)) ??
      renamedFrom.find((name) => isFree(name) && isUndeclared(name))
    if (from === undefined || from === EXTRA_COLUMN) return []
    taken.add(from)
    return [{ from, to, isExtra: !stored.has(from), replaces: stored.has(to) }]
  })
}

/**
 * The wanted renames that have something to move: an empty former column stays where it is when the
 * new one exists. Throws `Incompatible change` when both hold values.
 */
export async function settledRenames(
  tx: Db,
  before: StoredTable,
  wanted: readonly FieldRename[],
): Promise<FieldRename[]> {
  const settled: FieldRename[] = []
  for (const rename of wanted) {
    const hasOther =
      rename.replaces || (before.entity.open && before.entity.extraFields.includes(rename.to))
    if (!hasOther) settled.push(rename)
    else if (await isMoved(tx, before, rename)) settled.push(rename)
  }
  return settled
}

type Values = { former: number; present: number }

async function isMoved(tx: Db, { entity }: StoredTable, rename: FieldRename): Promise<boolean> {
  const { from, to, isExtra, replaces } = rename
  const value = (name: string, isColumn: boolean) =>
    isColumn ? sql`${sql.identifier(name)}` : sql`${sql.identifier(EXTRA_COLUMN)} -> ${name}::text`
  const query = sql`select count(${value(from, !isExtra)})::float8 as former,
      count(${value(to, replaces)})::float8 as present from ${tableSql(entity.table)}`
  const { former, present } = one(await rows<Values>(tx, query))
  if (former === 0) return false
  if (present === 0) return true
  const message = `${from} has ${values(former)} and ${to} has ${values(present)}, so ${to} cannot take over those of ${from}; empty one of them, or leave out renamedFrom`
  throw new DefinitionError('Incompatible change', [{ message }])
}

const values = (count: number) => (count === 1 ? '1 value' : `${count} values`)
