import type { Entity, Kind, Property } from '@/lib/definitions/definition'
import { recordSchema } from '@/lib/rows/record-schema'
import type { Json } from '@/lib/values/json'

/** A member of an interface: its type, and whether it is optional. */
export type Member = { property: Property; type: string; optional: boolean }

const RETURNED: Record<Kind, string> = {
  text: 'string',
  integer: 'number',
  float: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'string',
  datetime: 'string',
  time: 'string',
  json: 'Json',
  object: 'JsonObject',
  array: 'Json[]',
}

/** The fields of a returned record. */
export const returnedMembers = ({ properties, keys }: Entity): Member[] =>
  properties.map((property) => {
    const { kind, rules, name } = property
    const nullable = !(rules.required || keys.includes(name)) && kind !== 'json'
    const type = unionOf(rules.enum) ?? RETURNED[kind]
    return { property, type: nullable ? `${type} | null` : type, optional: false }
  })

const SENT: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  object: 'JsonObject',
  array: 'Json[]',
  null: 'null',
}

/** The fields of a sent record, from the schema that checks it. */
export function sentMembers(entity: Entity, rules: 'whole' | 'partial'): Member[] {
  const schema = recordSchema(entity, rules)
  const required = new Set(schema.required as string[])
  const checked = schema.properties as Record<string, { type: string | string[] }>
  return entity.properties.flatMap((property) => {
    const types = checked[property.name]?.type
    if (!types) return []
    const type = sentType(property, [types].flat())
    return [{ property, type, optional: !required.has(property.name) }]
  })
}

function sentType({ kind, rules }: Property, types: string[]): string {
  if (kind === 'json') return types.includes('null') ? 'Json' : 'NonNullable<Json>'
  const values = unionOf(rules.enum)
  if (values) return types.includes('null') ? `${values} | null` : values
  const isTime = kind === 'date' || kind === 'datetime'
  const names = types.map((type) => (isTime && type === 'object' ? DATE_OBJECT : SENT[type]))
  return [...new Set(names)].join(' | ')
}

const DATE_OBJECT = '{ $date: string | number }'

/** `"a" | "b"`, or null where a value has no literal. */
function unionOf(values: Json[] | undefined): string | null {
  if (!values?.length || values.some((value) => value !== null && typeof value === 'object'))
    return null
  return [...new Set(values)].map((value) => JSON.stringify(value)).join(' | ')
}
