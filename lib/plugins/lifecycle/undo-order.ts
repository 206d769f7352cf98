import type { Db } from '@/lib/db/types'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { storedReferences } from '@/lib/tables/stored-references'
import { type NotedKind, notedDefinitions } from './note-definition'
import type { Undo } from './undo-source'

/**
 * Each entity before those that it refers to: what is taken back of its records then refers to theirs no longer.
 * Foreign keys between different entities form no cycle.
 */
export async function referringFirst(tx: Db, entities: readonly Entity[]): Promise<Entity[]> {
  const references = await storedReferences(tx)
  const ordered = new Set<Entity>()
  const visit = (entity: Entity) => {
    if (ordered.has(entity)) return
    for (const { table, reference } of references) {
      if (!isSame(reference.target, entity.table) || isSame(table, entity.table)) continue
      const from = entities.find((one) => isSame(one.table, table))
      if (from) visit(from)
    }
    ordered.add(entity)
  }
  for (const entity of entities) visit(entity)
  return [...ordered]
}

/**
 * Those whose records can return before definitions are as before, as neither their own ones change nor those of entities
 * that they refer to: records that are changed back may refer to these.
 */
export async function returningFirst(
  tx: Db,
  { installId }: Undo,
  entities: readonly Entity[],
): Promise<Entity[]> {
  const noted = await notedDefinitions(tx, installId)
  const names = new Set(noted.map(({ kind, name }) => idOf(kind, name)))
  const references = await storedReferences(tx)
  const targetsFirst = (await referringFirst(tx, entities)).toReversed()
  const found: Entity[] = []
  for (const entity of targetsFirst) {
    const { name, table, definition } = entity
    const targets = targetsFirst.filter((to) =>
      references.some(
        (one) =>
          isSame(one.table, table) && to !== entity && isSame(one.reference.target, to.table),
      ),
    )
    const isAsBefore =
      !names.has(idOf('entity', name)) &&
      !names.has(idOf('schema', definition.engineSchema ?? name))
    if (isAsBefore && targets.every((to) => found.includes(to))) found.push(entity)
  }
  return found
}

const idOf = (kind: NotedKind, name: string) => `${kind} ${name.toLowerCase()}`

/** The fields by which records of the entity refer to others of it. */
export async function ownReferences(tx: Db, { table }: Entity): Promise<Set<string>> {
  const found = await storedReferences(tx, table)
  const own = found.filter((one) => isSame(one.table, table))
  return new Set(own.flatMap(({ reference }) => reference.columns))
}

const isSame = (a: TableName, b: TableName) => a.schema === b.schema && a.name === b.name
