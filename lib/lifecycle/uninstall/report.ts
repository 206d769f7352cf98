import { asc, inArray, isNull, sql } from 'drizzle-orm'
import { type Actor, can } from '@/lib/auth/rights'
import { apiKeys, policies, savedViews } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { driftSql } from '@/lib/lifecycle/base/drift-sql'
import type { UninstallReport } from '@/lib/lifecycle/contract'
import { countEntities, type RecordCount } from '@/lib/registry/count-entities'
import { mayReadAll } from '@/lib/registry/may-read'
import { mergeEntity } from '@/lib/registry/registry-rows'
import { isSeenBy } from '@/lib/views/audience'
import { recordsIn } from './record-event'
import { dependents, type Removal, withTables } from './removal'

/** The number of records of each entity, by name. */
export type Counts = ReadonlyMap<string, RecordCount>

const NOT_COUNTED: ReadonlyMap<string, number> = new Map()

/** What goes, what it would leave behind, and what names it. */
export async function reportOn(
  db: Db,
  removal: Removal,
  { actor, records, dryRun }: { actor: Actor; records: 'trash' | 'keep'; dryRun: boolean },
): Promise<{ report: UninstallReport; counts: Counts }> {
  const entities = removal.entities.map(({ row, schema }) => mergeEntity(row, schema))
  const counts = await countEntities(db, entities)
  const edited = dryRun ? await countEdited(db, entities) : NOT_COUNTED
  const report: UninstallReport = {
    plugins: removal.plugins.map(({ id, name, version }) => ({ id, name, version })),
    records,
    entities: entities.map((entity) => {
      const { value, isEstimate } = counts.get(entity.name) ?? { value: 0, isEstimate: false }
      const { name, pluginId } = entity
      const isShown = mayReadAll(actor, entity)
      return {
        ...{ name, pluginId, records: isShown ? value : null, isEstimate },
        edited: isShown ? (edited.get(name) ?? null) : null,
      }
    }),
    schemas: removal.schemas.map(({ name }) => name),
    types: removal.types.map(({ name }) => name),
    roles: removal.roles.map(({ name }) => name),
    policies: removal.policies.map(({ name, allow }) => ({ name, allow })),
    webhooks: removal.webhooks.map(({ name }) => name),
    blockedBy: records === 'keep' ? [] : dependents(removal),
    mentions: await mentionsOf(db, removal, actor),
    history: null,
    batchId: null,
    expiresAt: null,
  }
  return { report, counts }
}

/** What uninstalling did to one plugin, in words for the history, and the number of its records. */
export function describeUninstall(
  pluginId: string,
  { entities, schemas, types, roles, policies, webhooks }: Removal,
  { records }: UninstallReport,
  counts: Counts,
): { changes: string[]; recordCount: number } {
  const isOwn = (one: { pluginId: string | null }) => one.pluginId === pluginId
  const own = entities.filter(({ row }) => isOwn(row))
  const countOf = (name: string) => counts.get(name)?.value ?? 0
  const fate = records === 'trash' ? 'moved to the trash' : 'kept, without an owner'
  const named = (kind: string, all: readonly { name: string; pluginId: string | null }[]) =>
    all.filter(isOwn).map(({ name }) => `${kind} ${name}`)
  const definitions = [...named('Schema', schemas), ...named('Type', types)]
  const rules = [...named('Role', roles), ...named('Policy', policies)]
  return {
    changes: [
      ...own.map(({ row: { name } }) => `Entity ${name} with ${recordsIn(countOf(name))}: ${fate}`),
      ...definitions.map((name) => `${name}: ${fate}`),
      ...rules.map((name) => `${name}: moved to the trash`),
      ...named('Webhook', webhooks).map(
        (name) => `${name}: moved to the trash without its address and secret`,
      ),
    ],
    recordCount: records === 'trash' ? own.reduce((sum, { row }) => sum + countOf(row.name), 0) : 0,
  }
}

/** What names entities or roles of the plugins and stays, without effect or with another one; of what the actor may not read the number. */
async function mentionsOf(
  db: Db,
  removal: Removal,
  actor: Actor,
): Promise<UninstallReport['mentions']> {
  const names = removal.entities.map(({ row }) => row.name)
  const lower = new Set(names.map((name) => name.toLowerCase()))
  const removed = new Set(removal.policies.map(({ name }) => name))
  const isMeant = (scope: string) => lower.has(scope.slice(0, scope.indexOf(':')).toLowerCase())
  const named = (await db.select().from(policies).orderBy(asc(policies.name))).filter(
    ({ name, entities }) => !removed.has(name) && entities.some((entity) => lower.has(entity)),
  )
  const keys = await db
    .select({ id: apiKeys.id, name: apiKeys.name, scopes: apiKeys.scopes })
    .from(apiKeys)
    .where(isNull(apiKeys.revokedAt))
    .orderBy(asc(apiKeys.name), asc(apiKeys.id))
  const views = await db
    .select()
    .from(savedViews)
    .where(names.length > 0 ? inArray(savedViews.entity, names) : sql`false`)
    .orderBy(asc(savedViews.entity), asc(savedViews.name), asc(savedViews.id))
  const meant = keys.flatMap(({ scopes, ...key }) => {
    const found = scopes?.filter(isMeant) ?? []
    return found.length > 0 ? [{ ...key, scopes: found }] : []
  })
  const shown = {
    policies: can(actor, 'security:manage')
      ? named.map(({ name, pluginId }) => ({ name, pluginId }))
      : [],
    apiKeys: can(actor, 'keys:manage') ? meant : [],
    views: views
      .filter((view) => isSeenBy(view, actor))
      .map(({ id, name, entity }) => ({ id, name, entity })),
  }
  const hidden = {
    policies: named.length - shown.policies.length,
    apiKeys: meant.length - shown.apiKeys.length,
    views: views.length - shown.views.length,
  }
  return { ...shown, hidden }
}

/** The number of records of each entity that were added or edited since its plugin gave them, by name. */
async function countEdited(
  db: Db,
  entities: readonly Entity[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const entity of await withTables(db, entities)) {
    const drift = driftSql(entity, entity.pluginId ?? '')
    const query = sql`select count(*)::float8 as total from (${drift}) as d where d.change <> 'deleted'`
    counts.set(entity.name, one(await rows<{ total: number }>(db, query)).total)
  }
  return counts
}
