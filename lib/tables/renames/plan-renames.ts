import type { Entity } from '@/lib/definitions/definition'
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
