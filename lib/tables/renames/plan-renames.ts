import { sql } from 'drizzle-orm'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import { columnOf, type StoredTable } from '../column-spec'
import { objectName } from '../ddl/object-name'
import type { DdlStep, RenamedObject } from '../ddl-step'
import { tableIndexes } from '../table-indexes'
import { isSameTable, type Renaming, renamedTable } from './renamed-table'

/** The steps that rename a table, its columns, and what is named after them. */
export function planRenames(before: StoredTable, renaming: Renaming): DdlStep[] {
  const { fields, table } = renaming
  const steps: DdlStep[] = []
  if (!isSameTable(before.entity.table, table))
    steps.push({ type: 'rename-table', table: before.entity.table, to: table, objects: [] })
  for (const { from, to, isExtra, replaces } of fields) {
    if (replaces) steps.push({ type: 'drop-column', table, column: to })
    if (isExtra) steps.push({ type: 'rename-extra', table, from, to })
    else steps.push({ type: 'rename-column', table, column: from, to, objects: [] })
  }
  const last = steps.findLast((step) => 'objects' in step)
  if (last) last.objects = renamedObjects(before, renaming)
  return steps
}

/** Indexes, the primary key and counters, whose names are made of those of table and columns. */
function renamedObjects(before: StoredTable, renaming: Renaming): RenamedObject[] {
  const replaced = renaming.fields.filter(({ replaces }) => replaces).map(({ to }) => to)
  const properties = before.entity.properties.filter(({ name }) => !replaced.includes(name))
  const had = { ...before.entity, properties }
  const has = renamedTable(before, renaming).entity
  return [
    ...pairs('index', tableIndexes(had).map(nameOf), tableIndexes(has).map(nameOf)),
    ...pairs('index', [primaryKeyOf(had)], [primaryKeyOf(has)]),
    ...pairs('sequence', countersOf(had), countersOf(has)),
  ]
}

const nameOf = ({ name }: { name: string }) => name
const primaryKeyOf = ({ table, keys }: Entity) => objectName('pk', table, keys)

const countersOf = (entity: Entity): string[] =>
  entity.properties
    .map((property) => columnOf(entity, property))
    .filter(({ generated }) => generated === 'sequence')
    .map(({ name }) => objectName('sq', entity.table, [name]))

function pairs(
  kind: RenamedObject['kind'],
  from: readonly string[],
  to: readonly string[],
): RenamedObject[] {
  // The two lists differ in names only; otherwise the indexes are made again.
  if (from.length !== to.length) return []
  return from.flatMap((name, at) => {
    const now = to[at] ?? name
    return now === name ? [] : [{ kind, from: name, to: now }]
  })
}

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
