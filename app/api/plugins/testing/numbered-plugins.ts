import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import type { Files } from './plugin-api'

export const deps = freshDeps()

export const FIXED = [{ key: 'id', strategy: 'Fixed', type: 'string' }]

/** A plugin with one entity and one file of records for it. */
export function plugin(
  id: string,
  entity: string,
  records: object[],
  manifest: object = {},
): Files {
  return pluginFiles(
    {
      EngineEntities: { files: { 'E.json': { name: entity, pks: FIXED } } },
      [entity]: { manifest: { target: entity, ...manifest }, files: { 'data.json': records } },
    },
    { id: `com.example.${id}` },
  )
}

export const numbered = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ id: String(n), ...more }))

export const count = async (table: string) =>
  (
    await rows<{ n: number }>(
      deps.db,
      sql`select count(*)::int as n from entities.${sql.identifier(table)}`,
    )
  )[0]?.n

/** Holds a lock until `release` is called. */
export async function holding(key: string) {
  let release = () => {}
  const end = new Promise<void>((resolve) => {
    release = resolve
  })
  let work: Promise<void> | undefined
  await new Promise<void>((held) => {
    work = deps.locks.hold(key, 0, async () => {
      held()
      await end
    })
  })
  return async () => {
    release()
    await work
  }
}
