import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { Definition } from '@/lib/archives/plugin-file'
import type { Db } from '@/lib/db/sql'
import type { Authored } from '@/lib/definitions/authored'
import { LOCAL } from '@/lib/lifecycle/edit/next-version'
import { toStored } from '@/lib/tables/definition-transaction'
import { isObject, type JsonObject } from '@/lib/values/json'
import { tableOf } from '../changes/record-definitions'
import { writtenAs } from './local-definitions'
import { differences } from './merge-definition'

type Install = { pluginId: string; isEdited: boolean; isLocal: boolean }

/**
 * Keeps beside an installed definition what its author gave, as long as something of it is changed here; `before`: its
 * row before the install. Returns whether that has changed.
 */
export async function keepAuthored(
  tx: Db,
  install: Install,
  definition: Definition,
  before: JsonObject | null,
): Promise<boolean> {
  const { kind, item } = definition
  const authored = authoredAfter(install, definition, before)
  const former = isObject(before?.authored) ? before.authored : null
  if (isDeepStrictEqual(authored, former)) return false
  const value = authored && JSON.stringify(authored)
  await tx.execute(
    sql`update ${tableOf(kind)} set authored = ${value}::text::jsonb where lower(name) = lower(${item.name}::text)`,
  )
  return true
}

function authoredAfter(
  { pluginId, isEdited, isLocal }: Install,
  { kind, item, authored: next }: Definition,
  before: JsonObject | null,
): Authored | null {
  if (pluginId.startsWith(LOCAL)) return null
  const isSame = (base: JsonObject) =>
    differences(kind, writtenAs(kind, base), writtenAs(kind, toStored(item))).length === 0
  if (!isEdited) return next && !isSame(next) ? { definition: next } : null
  if (!before) return isLocal ? { definition: null } : null
  if (before.plugin_id !== pluginId) return null
  const known = before.authored as Authored | null
  const base = known ? known.definition : (before.definition as JsonObject)
  return base !== null && isSame(base) ? null : { definition: base }
}
