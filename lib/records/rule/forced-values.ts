import { AppError } from '@/lib/errors'
import { KINDS } from '@/lib/kinds/kinds'
import { prepareRecords } from '@/lib/rows/prepare-records'
import { type PreparedRow, repacker } from '@/lib/rows/prepared-row'
import { actorValues } from '@/lib/search/actor-values'
import type { Json, JsonObject } from '@/lib/values/json'
import { relativeTime } from '@/lib/values/relative-time'
import type { WriteRule } from '../write-rule'

/** Values that policies give to each record of a request, as they are stored. */
export type Forced = Pick<PreparedRow, 'values' | 'extra'>

/** Throws `forbidden` when the caller has no value that one of them is made of, or the entity does not take one. */
export async function forcedValues(rule: WriteRule, now = new Date()): Promise<Forced | null> {
  const { entity, set, action } = rule
  const all: JsonObject = {}
  for (const values of set) Object.assign(all, ownValues(rule, values))
  if (action === 'update') for (const key of entity.keys) delete all[key]
  if (Object.keys(all).length === 0) return null
  const settled = Object.entries(all).map(([name, value]): [string, Json] => [
    name,
    momentOf(rule, name, value, now),
  ])
  const { rows } = await prepareRecords(entity, [Object.fromEntries(settled)], 'set')
  const [row] = rows
  if (!row) throw unsuitable(rule)
  return row
}

function ownValues(rule: WriteRule, set: JsonObject): JsonObject {
  const values = actorValues(set, rule.actor)
  if (values) return values
  throw new AppError(
    'forbidden',
    `A policy gives records of "${rule.entity.name}" a value of the user who writes, which you lack: it is of your profile, where an administrator can add it, or your key is no user's`,
  )
}

// A value that policies give need not be shown, so its field is not named.
const unsuitable = ({ entity }: WriteRule) =>
  new AppError(
    'forbidden',
    `A policy gives records of "${entity.name}" a value that they do not take; an administrator can mend it`,
  )

/** A relative time, in fields for times; any other value is itself. */
function momentOf({ entity }: WriteRule, name: string, value: Json, now: Date): Json {
  const kind = entity.properties.find((one) => one.name === name)?.kind
  const present = kind && KINDS[kind].now
  const instant =
    typeof value === 'string' && value.startsWith('$') ? relativeTime(value, now.getTime()) : null
  if (instant === null || (kind && !present)) return value
  return present ? present.text(instant) : instant
}

/** The rows with the values that policies give. */
export function withForced(
  { entity }: WriteRule,
  rows: PreparedRow[],
  forced: Forced | null,
): PreparedRow[] {
  if (!forced) return rows
  const repack = repacker(entity)
  return rows.map((row) => {
    const values = { ...row.values, ...forced.values }
    const extra = row.extra || forced.extra ? { ...row.extra, ...forced.extra } : null
    return repack(row, { index: row.index, values, extra })
  })
}
