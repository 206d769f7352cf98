import { arrayContains, eq, sql } from 'drizzle-orm'
import { apiKeys, policies } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Followed, Renamed } from './follow-renames'

/** Policies, which name entities in any case. */
export async function followPolicies(tx: Db, { from, to }: Renamed): Promise<Followed> {
  const former = from.toLowerCase()
  const found = await tx
    .select()
    .from(policies)
    .where(arrayContains(policies.entities, [former]))
  for (const { name, definition, entities } of found) {
    const nameOf = (entity: string) => (entity.toLowerCase() === former ? to : entity)
    const followed = {
      definition: { ...definition, entities: definition.entities.map(nameOf) },
      entities: [...new Set(entities.map((entity) => nameOf(entity).toLowerCase()))],
    }
    await tx.update(policies).set(followed).where(eq(policies.name, name))
  }
  return { what: 'policy', count: found.length }
}

/** Scopes of API keys, `Entity:action` in any case. */
export async function followKeys(tx: Db, { from, to }: Renamed): Promise<Followed> {
  const former = from.toLowerCase()
  const names = sql`exists (select from unnest(${apiKeys.scopes}) as scope where lower(split_part(scope, ':', 1)) = ${former})`
  const found = await tx
    .select({ id: apiKeys.id, scopes: apiKeys.scopes })
    .from(apiKeys)
    .where(names)
  for (const { id, scopes } of found) {
    const followed = scopes?.map((scope) => {
      const [entity, action] = scope.split(':')
      return entity?.toLowerCase() === former ? `${to}:${action}` : scope
    })
    await tx.update(apiKeys).set({ scopes: followed }).where(eq(apiKeys.id, id))
  }
  return { what: 'API key', count: found.length }
}
