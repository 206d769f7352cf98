import type { Entity, UpdateStrategy } from '@/lib/definitions/definition'
import { defaultsOf } from '@/lib/rows/compiled-entity'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { checkedProperties } from '@/lib/rows/record-schema'
import type { Json, JsonObject } from '@/lib/values/json'

/**
 * The row as an `Upsert` that leaves the fields `kept` as they are stored. Of a `Replace`, it
 * empties the fields that the row lacks, but not undeclared and generated ones.
 */
export function keepFields(
  entity: Entity,
  { index, values, extra }: PreparedRow,
  kept: readonly string[],
  strategy: UpdateStrategy,
): PreparedRow {
  const isReplaced = strategy === 'Replace'
  const whole = isReplaced ? { ...emptied(entity), ...values } : values
  const left = isReplaced ? [...kept, ...ungenerated(entity, values)] : kept
  const given = without(extra ?? {}, kept)
  return {
    index,
    values: without(whole, left),
    extra: Object.keys(given).length > 0 ? given : null,
  }
}

function emptied(entity: Entity): JsonObject {
  const defaults = defaultsOf(entity)
  const names = checkedProperties(entity).flatMap(({ name }) =>
    entity.keys.includes(name) ? [] : [name],
  )
  return Object.fromEntries(
    names.map((name): [string, Json] => {
      const value = defaults.get(name) ?? null
      return [name, typeof value === 'function' ? value() : value]
    }),
  )
}

/** Generated fields without a value in a row: what is stored stays. */
const ungenerated = ({ properties }: Entity, values: JsonObject): string[] =>
  properties.flatMap(({ name, rules }) =>
    rules.generates && (values[name] ?? null) === null ? [name] : [],
  )

const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
