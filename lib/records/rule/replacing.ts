import { type SQL, sql } from 'drizzle-orm'
import { textArray } from '@/lib/db/sql'
import { EXTRA_COLUMN } from '@/lib/definitions/definition'
import { replacingDefaults } from '@/lib/rows/compiled-entity'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { stored } from '@/lib/rows/record-columns'
import { checkedProperties } from '@/lib/rows/record-schema'
import type { Json } from '@/lib/values/json'
import { type WriteRule, writeVerdict } from '../write-rule'

// A replacement sets all fields. By a caller who may not write some of them it is a merge that also empties those that the
// caller may write and does not give.

/** Whether there are fields that a replacement keeps. */
export const keepsFields = ({ stored: rule, entity }: WriteRule): boolean =>
  rule !== null && (rule.fields.size > 0 || (entity.open && rule.rest !== true))

/** The declared fields that a replacement empties when they are not given, or sets to their default. */
export const replacedFields = ({ entity }: WriteRule): string[] =>
  checkedProperties(entity)
    .filter(({ name, rules }) => !entity.keys.includes(name) && !rules.generates)
    .map(({ name }) => name)

/** The row as a merge; `closed`: the fields that may not be written in this record. */
export function asMerge(
  rule: WriteRule,
  row: PreparedRow,
  closed: ReadonlySet<string>,
): PreparedRow {
  const defaults = replacingDefaults(rule.entity)
  const required = new Set(
    rule.entity.properties.filter(({ rules }) => rules.required).map(({ name }) => name),
  )
  const sent = row.values
  const emptied = replacedFields(rule)
    .filter((name) => !Object.hasOwn(sent, name) && !closed.has(name))
    .filter((name) => writeVerdict(rule, name) !== false)
    .map((name): [string, Json] => [name, fixedDefault(defaults.get(name))])
    .filter(([name, value]) => value !== null || !required.has(name))
  const values = { ...Object.fromEntries(emptied), ...sent }
  return { index: row.index, values, extra: row.extra }
}

const fixedDefault = (value: Json | (() => Json) | undefined): Json =>
  value === undefined || typeof value === 'function' ? null : value

/** What stays of the stored undeclared fields. */
export function keptExtra({ stored: rule, entity }: WriteRule): SQL | undefined {
  if (rule === null || !entity.open) return undefined
  const declared = new Set(entity.properties.map(({ name }) => name))
  const named = [...rule.fields].filter(([name]) => !declared.has(name))
  const extra = sql`coalesce(${stored(EXTRA_COLUMN)}, '{}'::jsonb)`
  const namesWhere = (isOpen: boolean) =>
    named.filter(([, verdict]) => (verdict === true) === isOpen).map(([name]) => name)
  if (rule.rest !== true) return sql`(${extra} - ${textArray(namesWhere(true))})`
  // By functions that nodes of a cluster take in an update.
  const kept = namesWhere(false).map(
    (name) =>
      sql`coalesce(jsonb_set('{}'::jsonb, array[${name}::text], ${extra} -> ${name}::text), '{}'::jsonb)`,
  )
  return sql`(${sql.join([sql`'{}'::jsonb`, ...kept], sql` || `)})`
}
