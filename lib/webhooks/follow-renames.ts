import { eq, inArray, sql } from 'drizzle-orm'
import { entities, webhookDeliveries, webhooks } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { EntityDefinition } from '@/lib/definitions/definition'

/** Runs `define`, which installs an entity in `tx`, then gives webhooks of an entity that it has renamed, and what waits, the new name. */
export async function followingRenames<T>(
  tx: Db,
  { name, renamedFrom = [] }: EntityDefinition,
  define: () => Promise<T>,
): Promise<T> {
  const before = await installedOf(tx, renamedFrom)
  const done = await define()
  const left = new Set(await installedOf(tx, before))
  for (const former of before) if (!left.has(former)) await rename(tx, former, name)
  return done
}

async function installedOf(tx: Db, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const { name } = entities
  const found = await tx
    .select({ name })
    .from(entities)
    .where(inArray(name, [...names]))
  return found.map((one) => one.name)
}

async function rename(tx: Db, from: string, to: string): Promise<void> {
  const { entities: names, positions } = webhooks
  const place = sql`jsonb_strip_nulls(jsonb_build_object(${to}::text, ${positions} -> ${from}::text))`
  await tx
    .update(webhooks)
    .set({
      entities: sql`array_replace(array_remove(${names}, ${to}::text), ${from}::text, ${to}::text)`,
      positions: sql`(${positions} - ${from}::text) || ${place}`,
    })
    .where(sql`${from}::text = any(${names})`)
  await tx.update(webhookDeliveries).set({ entity: to }).where(eq(webhookDeliveries.entity, from))
}
