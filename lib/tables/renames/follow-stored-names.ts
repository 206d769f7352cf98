import { arrayContains, eq, sql } from 'drizzle-orm'
import { apiKeys, policies, savedViews, trashBatches, trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { EXTRA_COLUMN } from '@/lib/definitions/definition'
import { renamedConditions, renamedPath } from '@/lib/definitions/renamed-policy'
import { parseJson, stringifyExactly } from '@/lib/values/json'
import type { Followed, Renamed } from './follow-renames'

/** Saved views: their filter, sort and columns. */
export async function followViews(tx: Db, { from, to, nameOf }: Renamed): Promise<Followed> {
  const found = await tx.select().from(savedViews).where(eq(savedViews.entity, from))
  let count = 0
  for (const { id, params } of found) {
    const followed = followParams(params, nameOf)
    if (followed === params && from === to) continue
    count++
    await tx.update(savedViews).set({ entity: to, params: followed }).where(eq(savedViews.id, id))
  }
  return { what: 'saved view', count }
}

type NameOf = Renamed['nameOf']

/** The address of the console's page, `sort=name:asc&filter=[…]&cols=a,b&by=c`, with the present names. */
function followParams(text: string, nameOf: NameOf): string {
  const params = new URLSearchParams(text)
  const filter = params.get('filter')
  const changed = new Map([
    ['sort', followList(params.get('sort'), nameOf)],
    ['cols', followList(params.get('cols'), nameOf)],
    ['by', followList(params.get('by'), nameOf)],
    ['filter', filter === null ? undefined : followFilter(filter, nameOf)],
  ])
  const isSame = [...changed].every(([name, value]) => (value ?? null) === params.get(name))
  if (isSame) return text
  for (const [name, value] of changed) if (value !== undefined) params.set(name, value)
  return params.toString()
}

const followList = (list: string | null, nameOf: NameOf): string | undefined =>
  list
    ?.split(',')
    .map((path) => renamedPath(path, nameOf))
    .join(',')

function followFilter(text: string, nameOf: NameOf): string {
  try {
    return stringifyExactly(renamedConditions(parseJson(text, { exactly: true }), nameOf))
  } catch {
    return text // not a filter that the page would show
  }
}

/** Deleted and edited records, which are restored into the present fields. */
export async function followTrash(tx: Db, renamed: Renamed): Promise<Followed> {
  const { from, to, nameOf, fields } = renamed
  const found = await tx.select().from(trashBatches).where(eq(trashBatches.entity, from))
  for (const { id, kind, columns, keys, properties } of found) {
    const named = <T extends { name: string }>(one: T): T => ({ ...one, name: nameOf(one.name) })
    const followed = {
      entity: to,
      columns: columns.map(named),
      keys: keys.map(nameOf),
      properties: properties.map(named),
    }
    await tx.update(trashBatches).set(followed).where(eq(trashBatches.id, id))
    for (const field of fields) {
      await followField(tx, id, field)
      if (kind === 'edit' || kind === 'import') await followValues(tx, id, field)
    }
  }
  return { what: 'undoable change', count: found.length }
}

async function followField(tx: Db, id: string, { from, to }: { from: string; to: string }) {
  const { data } = trashRecords
  const moved = (json: unknown) =>
    sql`(${json} - ${from}::text) || jsonb_build_object(${to}::text, ${json} -> ${from}::text)`
  const extra = sql`(${data} -> ${EXTRA_COLUMN}::text)`
  await tx.execute(
    sql`update ${trashRecords} set data = case
        when ${data} ? ${from}::text then ${moved(data)}
        else ${data} || jsonb_build_object(${EXTRA_COLUMN}::text, ${moved(extra)}) end
      where batch_id = ${id}::uuid and (${data} ? ${from}::text or ${extra} ? ${from}::text)`,
  )
}

/** Values of an edited or imported record before and after, as `KeptEdit` has them. */
async function followValues(tx: Db, id: string, { from, to }: { from: string; to: string }) {
  const { data } = trashRecords
  const parts = ['$before', '$after'].map((part) => {
    const json = sql`(${data} -> ${part}::text)`
    return sql`case when ${json} ? ${from}::text then jsonb_build_object(${part}::text,
      (${json} - ${from}::text) || jsonb_build_object(${to}::text, ${json} -> ${from}::text)) else '{}'::jsonb end`
  })
  await tx.execute(
    sql`update ${trashRecords} set data = ${data} || ${sql.join(parts, sql` || `)}
      where batch_id = ${id}::uuid`,
  )
}

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
