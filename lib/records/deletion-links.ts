import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '@/lib/db/sql'
import type { Entity, OnDelete, TableName } from '@/lib/definitions/definition'
import { loadEntities } from '@/lib/registry/registry'
import { storedReferences } from '@/lib/tables/stored-references'
import { relationSql } from '@/lib/totals/keep-total'

/** A reference of one entity to another, as a foreign key. */
export type Link = {
  from: Entity
  /** The first is the field that has the reference. */
  columns: string[]
  to: Entity
  /** As many. */
  fields: string[]
  onDelete: OnDelete
}

/** What deleting records of an entity affects. */
export type DeletionLinks = {
  /** The entity and those whose records go too, each after all that it refers to. */
  order: Entity[]
  /** The links to any of these. */
  links: Link[]
  /** All that are installed. */
  entities: readonly Entity[]
}

/** Null when no reference to the entity has an `onDelete`: the foreign keys then decide alone. */
export async function deletionLinks(tx: Db, { table }: Entity): Promise<DeletionLinks | null> {
  const direct = await storedReferences(tx, table)
  if (!direct.some(({ reference }) => reference.onDelete)) return null
  const entities = await loadEntities(tx)
  const at = (name: TableName) => entities.find((entity) => isSame(entity.table, name))
  const all = (await storedReferences(tx)).flatMap(({ table: source, reference }): Link[] => {
    const [from, to] = [at(source), at(reference.target)]
    const { columns, fields, onDelete = 'restrict' } = reference
    return from && to ? [{ from, columns, to, fields, onDelete }] : []
  })
  const order = inOrder(at(table), all)
  const names = new Set(order.map(({ name }) => name))
  return { order, links: all.filter(({ to }) => names.has(to.name)), entities }
}

/** The same, if every record that refers to one of the entity's, and stays, is to prevent the deletion. */
export function withoutEffects({ order, links, entities }: DeletionLinks): DeletionLinks {
  const root = order.slice(0, 1)
  const direct = links.filter(({ to }) => to.name === root[0]?.name)
  return { order: root, links: direct.map((link) => ({ ...link, onDelete: 'restrict' })), entities }
}

/** Every reference to the entity itself, as if what refers to it is to stay. */
export async function directLinks(tx: Db, entity: Entity): Promise<Link[]> {
  const entities = await loadEntities(tx)
  const found = await storedReferences(tx, entity.table)
  return found.flatMap(({ table, reference: { columns, fields } }): Link[] => {
    const from = entities.find((one) => isSame(one.table, table))
    return from ? [{ from, columns, to: entity, fields, onDelete: 'restrict' }] : []
  })
}

/**
 * Whether a reference to the entity has an `onDelete`, as a condition for the deletion itself: reading all that
 * `deletionLinks` needs takes longer than deleting many records. While the statement runs, none can be added.
 */
export const hasDeletionLinks = ({ table }: Entity): SQL =>
  sql`exists (select from pg_constraint where contype = 'f' and confrelid = ${relationSql(table)}
    and confdeltype in ('c', 'n') and conname like 'fk\\_%')`

/** Foreign keys between different entities form no cycle. */
function inOrder(root: Entity | undefined, links: readonly Link[]): Entity[] {
  const order: Entity[] = []
  const seen = new Set<string>()
  const visit = (entity: Entity) => {
    if (seen.has(entity.name)) return
    seen.add(entity.name)
    for (const { from, to, onDelete } of links)
      if (onDelete === 'cascade' && to.name === entity.name) visit(from)
    order.unshift(entity)
  }
  if (root) visit(root)
  return order
}

const isSame = (a: TableName, b: TableName) => a.schema === b.schema && a.name === b.name
