import { isDeepStrictEqual } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import { entities, schemas, searchShapes } from '@/lib/db/schema'
import { affectedRows, type Db, textArray } from '@/lib/db/sql'
import type { Property } from '@/lib/definitions/definition'
import { entitiesOfSchema } from '@/lib/registry/registry-rows'
import { followPluginRecords } from '../follow-plugin-records'
import type { TableChange } from '../plan-change'
import { followKeys, followPolicies, followTrash, followViews } from './follow-stored-names'
import { renamer } from './renamed-table'

/** The names of an entity and its fields, before and after. */
export type Renamed = {
  from: string
  to: string
  fields: readonly { from: string; to: string }[]
  /** The present name of a field. */
  nameOf: (field: string) => string
}

/** How much of one kind was changed, in words: `saved view`, 2. */
export type Followed = { what: string; count: number }

/**
 * Changes what names an entity or a field of it by its former name: references of other entities,
 * their distributions, the trash, saved views, policies and scopes of API keys. The registry must
 * hold the new names. Returns notes about it. Audit log and history keep the names of their time.
 */
export async function followRenames(tx: Db, changes: readonly TableChange[]): Promise<string[]> {
  const notes: string[] = []
  for (const { after, renames } of changes) {
    if (!renames) continue
    const { formerName: from, fields } = renames
    const renamed = { from, to: after.name, fields, nameOf: renamer(fields) }
    const followed: Followed[] = []
    for (const follow of from === after.name ? BY_FIELD : [...BY_FIELD, ...BY_ENTITY])
      followed.push(await follow(tx, renamed))
    const text = textOf(followed)
    if (text) notes.push(`Changed to the new names of ${after.name} too: ${text}`)
  }
  return notes
}

type Follow = (tx: Db, renamed: Renamed) => Promise<Followed>

const BY_FIELD: readonly Follow[] = [
  followReferences,
  followViews,
  followTrash,
  followShapes,
  followPluginRecords,
]
const BY_ENTITY: readonly Follow[] = [followDistributions, followPolicies, followKeys]

const textOf = (followed: readonly Followed[]): string =>
  followed
    .filter(({ count }) => count > 0)
    .map(({ what, count }) => (count === 1 ? `1 ${what}` : `${count} ${plural(what)}`))
    .join(', ')

const plural = (what: string) =>
  what.endsWith('y') ? `${what.slice(0, -1)}ies` : what.endsWith('ch') ? `${what}es` : `${what}s`

/** References of other definitions; what a definition of the archive says itself, it says again later. */
async function followReferences(tx: Db, renamed: Renamed): Promise<Followed> {
  const refers = sql`jsonb_path_exists(${schemas.definition}, '$.properties[*].rules.reference ? (@.entity == $name)', jsonb_build_object('name', ${renamed.from}::text))`
  const found = await tx.select().from(schemas).where(refers)
  let count = 0
  for (const { name, definition, updatedAt } of found) {
    const properties = definition.properties.map((property) => follow(property, renamed))
    const changed = properties.filter((one, at) => one !== definition.properties[at]).length
    if (changed === 0 || (await entitiesOfSchema(tx, name)).length === 0) continue
    count += changed
    const followed = { ...definition, properties }
    // It is the same definition as before, about a thing of another name.
    await tx.update(schemas).set({ definition: followed, updatedAt }).where(eq(schemas.name, name))
  }
  return { what: 'reference', count }
}

function follow(property: Property, { from, to, nameOf }: Renamed): Property {
  const { reference } = property.rules
  if (reference?.entity !== from) return property
  const { with: further } = reference
  const followed = {
    ...reference,
    entity: to,
    field: nameOf(reference.field),
    ...(further
      ? {
          with: Object.fromEntries(
            Object.entries(further).map(([own, name]) => [own, nameOf(name)]),
          ),
        }
      : {}),
  }
  if (isDeepStrictEqual(followed, reference)) return property
  return { ...property, rules: { ...property.rules, reference: followed } }
}

/** The entities that are kept with the renamed one on a cluster. */
async function followDistributions(tx: Db, { from, to }: Renamed): Promise<Followed> {
  const beside = sql`'{distribution,with}'::text[]`
  const count = await affectedRows(
    tx,
    sql`update ${entities} set definition = jsonb_set(definition, ${beside}, to_jsonb(${to}::text))
      where definition #>> ${beside} = ${from}::text`,
  )
  return { what: 'distribution', count }
}

/** Forgets the slow searches by former names of fields, which can't be repeated; others follow the entity. */
async function followShapes(tx: Db, { to, fields }: Renamed): Promise<Followed> {
  const former = textArray(fields.map(({ from }) => from))
  const names = sql`exists (select from jsonb_path_query(${searchShapes.shape}, '$.**') as part
    where jsonb_typeof(part) = 'string' and split_part(part #>> '{}', '.', 1) = any(${former}))`
  if (fields.length > 0)
    await tx.delete(searchShapes).where(and(eq(searchShapes.entity, to), names))
  return { what: 'search', count: 0 }
}
