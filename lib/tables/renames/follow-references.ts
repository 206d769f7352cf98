import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Property } from '@/lib/definitions/definition'
import { entitiesOfSchema } from '@/lib/registry/registry-rows'
import type { Followed, Renamed } from './follow-renames'

/** References of other definitions; what a definition of the archive says itself, it says again later. */
export async function followReferences(tx: Db, renamed: Renamed): Promise<Followed> {
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
