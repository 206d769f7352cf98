import { asc, inArray, isNull, sql } from 'drizzle-orm'
import { apiKeys, policies, savedViews } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { UninstallReport } from '@/lib/plugins/uninstall-contract'
import type { Removal } from './removal'

/** What names entities or roles of the plugins and stays: it has no effect without them, or another. */
export async function mentionsOf(db: Db, removal: Removal): Promise<UninstallReport['mentions']> {
  const names = removal.entities.map(({ row }) => row.name)
  const lower = new Set(names.map((name) => name.toLowerCase()))
  const gone = new Set(removal.policies.map(({ name }) => name))
  const isMeant = (scope: string) => lower.has(scope.slice(0, scope.indexOf(':')).toLowerCase())
  const named = (await db.select().from(policies).orderBy(asc(policies.name))).filter(
    ({ name, entities }) => !gone.has(name) && entities.some((entity) => lower.has(entity)),
  )
  const keys = await db
    .select({ id: apiKeys.id, name: apiKeys.name, scopes: apiKeys.scopes })
    .from(apiKeys)
    .where(isNull(apiKeys.revokedAt))
    .orderBy(asc(apiKeys.name), asc(apiKeys.id))
  const views = await db
    .select({ id: savedViews.id, name: savedViews.name, entity: savedViews.entity })
    .from(savedViews)
    .where(names.length > 0 ? inArray(savedViews.entity, names) : sql`false`)
    .orderBy(asc(savedViews.entity), asc(savedViews.name), asc(savedViews.id))
  return {
    policies: named.map(({ name, pluginId }) => ({ name, pluginId })),
    apiKeys: keys.flatMap(({ scopes, ...key }) => {
      const found = scopes?.filter(isMeant) ?? []
      return found.length > 0 ? [{ ...key, scopes: found }] : []
    }),
    views,
  }
}
