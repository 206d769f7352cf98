import type { Entity, Property } from '@/lib/definitions/definition'
import { isAnyJsonKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { recordSchema } from '@/lib/rows/record-schema'
import type { Json } from '@/lib/values/json'

/** A member of an interface: its type, and whether it is optional. */
export type Member = { property: Property; type: string; optional: boolean }

/** The fields of a returned record. */
export const returnedMembers = ({ properties, keys }: Entity): Member[] =>
  properties.map((property) => {
    const { kind, rules, name } = property
    const nullable = !(rules.required || keys.includes(name)) && !isAnyJsonKind(kind)
    const type = unionOf(rules.enum) ?? KINDS[kind].typescript
    return { property, type: nullable ? `${type} | null` : type, optional: false }
  })

const SENT: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
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
  if (isAnyJsonKind(kind)) return types.includes('null') ? 'Json' : 'NonNullable<Json>'
  const values = unionOf(rules.enum)
  if (values) return types.includes('null') ? `${values} | null` : values
  const names = types.map((type) => (type === 'object' ? KINDS[kind].typescriptObject : SENT[type]))
  return [...new Set(names)].join(' | ')
}

/** `"a" | "b"`, or null where a value has no literal. */
function unionOf(values: Json[] | undefined): string | null {
  if (!values?.length || values.some((value) => value !== null && typeof value === 'object'))
    return null
  return [...new Set(values)].map((value) => JSON.stringify(value)).join(' | ')
}
