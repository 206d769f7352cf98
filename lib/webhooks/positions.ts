import type { Deps } from '@/lib/deps'
import { cursorOf } from '@/lib/events/position'
import { readLog } from '@/lib/events/read-log'
import { findEntity } from '@/lib/registry/registry'

/** The places from which a webhook reads on: those it has, and this moment for other entities. */
export async function positionsFor(
  deps: Pick<Deps, 'db' | 'bus' | 'log'>,
  entities: readonly string[],
  known: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const places = entities.map(
    async (name) => [name, known[name] ?? (await placeOfNow(deps, name))] as const,
  )
  return Object.fromEntries(await Promise.all(places))
}

/** Before whatever is committed later. */
export async function placeOfNow(
  deps: Pick<Deps, 'db' | 'bus' | 'log'>,
  entityName: string,
): Promise<string> {
  const { table } = await findEntity(deps, entityName)
  const reading = { tables: [table], since: null, limit: 1, records: true }
  return cursorOf((await readLog(deps.db, reading)).next)
}
