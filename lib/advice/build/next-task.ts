import { countAdded, type FoundIndex, findIndexes } from '@/lib/advice/store'
import type { Db } from '@/lib/db/sql'
import type { AddedIndex, Entity, TableName } from '@/lib/definitions/definition'
import { loadEntities } from '@/lib/registry/registry'
import type { IndexSpec } from '@/lib/tables/ddl-step'
import { ADDED_PREFIX, addedIndexSpec } from '@/lib/tables/table-indexes'

type Of = { name: string; table: TableName; entity: Entity; added: AddedIndex }
export type Task =
  | { type: 'drop'; name: string; table: TableName }
  | (Of & { type: 'build'; spec: IndexSpec })
  | (Of & { type: 'note-ready' })

/**
 * What to do next for the database to have the added indexes of the registry; null when it has them. Leaves alone
 * what is being built, and `skipped`. `only`: of this index.
 */
export async function nextTask(
  db: Db,
  skipped: ReadonlySet<string> = new Set(),
  only?: string,
): Promise<Task | null> {
  const found = await findIndexes(db, ADDED_PREFIX)
  if (found.length === 0 && (await countAdded(db)) === 0) return null
  const wanted = (await loadEntities(db)).flatMap(wantedOf)
  const tasks = [...dropTasks(found, wanted), ...wanted.flatMap((one) => taskOf(one, found))]
  return (
    tasks.find(({ name }) => !skipped.has(name) && (only === undefined || name === only)) ?? null
  )
}

type Wanted = Of & { spec: IndexSpec }

const wantedOf = (entity: Entity): Wanted[] =>
  entity.addedIndexes.flatMap((added) => {
    const spec = addedIndexSpec(entity, added)
    return spec ? [{ name: spec.name, table: entity.table, entity, added, spec }] : []
  })

/** Those that are not wanted, and those that a crash left unfinished. */
const dropTasks = (found: readonly FoundIndex[], wanted: readonly Wanted[]): Task[] =>
  found
    .filter(({ pid }) => pid === null)
    .filter(({ name, isValid }) => !isValid || !wanted.some((one) => one.name === name))
    .map(({ name, table }) => ({ type: 'drop', name, table }))

function taskOf(wanted: Wanted, found: readonly FoundIndex[]): Task[] {
  const index = found.find(({ name }) => name === wanted.name)
  if (!index) return [{ type: 'build', ...wanted }]
  const { spec: _, ...of } = wanted
  return index.isValid && wanted.added.readyAt === undefined ? [{ type: 'note-ready', ...of }] : []
}
