import { type SQL, sql } from 'drizzle-orm'
import {
  type Entity,
  EXTRA_COLUMN,
  type Property,
  type UpdateStrategy,
} from '@/lib/definitions/definition'
import type { Presence } from '@/lib/records/json-chunks'
import { given, PRESENCE_COLUMN, stored } from '@/lib/records/record-columns'
import { checkedProperties } from '@/lib/records/record-schema'
import { differs } from '@/lib/records/record-statements'
import { fieldsJson } from './record-sql'

/** How the JSON rows are to be read. */
export type Shape = { strategy: UpdateStrategy; presence: Presence }

export const extraOf = (alias: SQL) => sql`coalesce(${alias}, '{}'::jsonb)`

export type GivenField = { property: Property; isGiven: SQL | null }

/** The fields that rows give, without the key; `isGiven`: null when all rows do. */
export function givenFields(entity: Entity, { strategy, presence }: Shape): GivenField[] {
  const settable = checkedProperties(entity).filter(({ name }) => !entity.keys.includes(name))
  if (strategy === 'Replace') return settable.map((property) => ({ property, isGiven: null }))
  const some = new Set(presence.some)
  const any = new Set([...presence.every, ...some])
  return settable
    .filter(({ name }) => any.has(name))
    .map((property) => ({
      property,
      isGiven: some.has(property.name)
        ? sql`n.${sql.identifier(PRESENCE_COLUMN)} ? ${property.name}::text`
        : null,
    }))
}

export const ifGiven = ({ isGiven }: GivenField, condition: SQL): SQL =>
  isGiven ? sql`(${isGiven} and ${condition})` : sql`(${condition})`

export const fieldDiffers = ({ property: { name, kind } }: GivenField): SQL =>
  differs({ name, value: given(name), isText: kind === 'text' })

export function differsSql(fields: readonly GivenField[], { strategy }: Shape): SQL {
  const [ours, theirs] = [extraOf(stored(EXTRA_COLUMN)), extraOf(given(EXTRA_COLUMN))]
  const after = strategy === 'Replace' ? theirs : sql`(${ours} || ${theirs})`
  const conditions = fields.map((field) => ifGiven(field, fieldDiffers(field)))
  return sql`(${sql.join([...conditions, sql`${ours} <> ${after}`], sql` or `)})`
}

/** What the row `n` gives, as `plugin_records` keeps it. */
export function givenJson(entity: Entity, fields: readonly GivenField[]): SQL {
  const keys = checkedProperties(entity).filter(({ name }) => entity.keys.includes(name))
  const always = fields.flatMap(({ property, isGiven }) => (isGiven ? [] : [property]))
  const some = fields.flatMap(({ property, isGiven }) => (isGiven ? [property] : []))
  const parts = [fieldsJson([...keys, ...always], 'n'), extraOf(given(EXTRA_COLUMN))]
  if (some.length > 0)
    parts.push(sql`coalesce((select jsonb_object_agg(e.key, e.value) from jsonb_each(${fieldsJson(some, 'n')}) as e
      where n.${sql.identifier(PRESENCE_COLUMN)} ? e.key), '{}')`)
  return sql`(${sql.join(parts, sql` || `)})`
}
