import type { Part } from '@/lib/openapi/components'

/** Makes JSON text with the given JSON text in one place. */
export type Place = { where: string; fill: (json: string) => string }

const MAX_LEVELS = 6
type Schemas = Record<string, Part>

/** Values that mean something here, by the name of the property. */
const KNOWN: Record<string, unknown> = {
  entity: 'Thing',
  field: 'name',
  fields: ['name'],
  operator: 'eq',
  value: 'a',
  email: 'new@example.com',
  password: 'correct horse battery',
  roles: ['VIEWER'],
  scopes: ['Thing:read'],
  function: 'COUNT',
  params: 'filter=name:eq:a',
  url: 'http://127.0.0.1:1/a.png',
}

/** Every place of a body where a value can be: the whole, each property, each element, each alternative. */
export function placesOf(schema: Part, schemas: Schemas, where = 'body', level = 0): Place[] {
  const places: Place[] = [{ where, fill: (json) => json }]
  if (level >= MAX_LEVELS) return places
  const { properties, items, anyOf, oneOf, allOf } = resolve(schema, schemas)
  for (const one of ((anyOf ?? oneOf ?? allOf) as Part[] | undefined) ?? [])
    places.push(...placesOf(one, schemas, where, level + 1).slice(1))
  if (items)
    for (const { where: at, fill } of placesOf(items as Part, schemas, `${where}[]`, level + 1))
      places.push({ where: at, fill: (json) => `[${fill(json)}]` })
  if (properties) places.push(...inProperties(resolve(schema, schemas), schemas, where, level))
  return places
}

function inProperties(schema: Part, schemas: Schemas, where: string, level: number): Place[] {
  const properties = schema.properties as Record<string, Part>
  const required = (schema.required as string[] | undefined) ?? []
  const around = (name: string, json: string) => {
    const others = required.filter((one) => one !== name)
    const members = others.map((one) => memberOf(one, properties[one] ?? {}, schemas, level))
    return `{${[...members, `${JSON.stringify(name)}:${json}`].join()}}`
  }
  const inside = Object.entries(properties).flatMap(([name, property]) =>
    placesOf(property, schemas, `${where}.${name}`, level + 1).map(({ where: at, fill }) => ({
      where: at,
      fill: (json: string) => around(name, fill(json)),
    })),
  )
  return [...inside, { where: `${where}.<name>`, fill: (json) => around(asName(json), '1') }]
}

const memberOf = (name: string, schema: Part, schemas: Schemas, level: number) =>
  `${JSON.stringify(name)}:${JSON.stringify(KNOWN[name] ?? sampleOf(schema, schemas, level))}`

/** A hostile name: the text itself, or what is no text as one. */
function asName(json: string): string {
  const value: unknown = json.startsWith('"') ? JSON.parse(json) : json.slice(0, 1000)
  return String(value)
}

/** A value that the schema accepts, with what is required alone. */
export function sampleOf(schema: Part, schemas: Schemas, level = 0): unknown {
  const { example, examples, default: preset, const: fixed, ...rest } = resolve(schema, schemas)
  const input = example ?? (examples as unknown[] | undefined)?.[0] ?? preset ?? fixed
  if (input !== undefined) return input
  const [value] = (rest.enum as unknown[] | undefined) ?? []
  if (value !== undefined) return value
  const [one] = (rest.anyOf ?? rest.oneOf ?? rest.allOf ?? []) as Part[]
  if (one && level < MAX_LEVELS) return sampleOf(one, schemas, level + 1)
  return ofType(rest, schemas, level)
}

function ofType(schema: Part, schemas: Schemas, level: number): unknown {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return [sampleOf((schema.items as Part | undefined) ?? {}, schemas, level + 1)]
    case 'object':
      return sampleObject(schema, schemas, level)
    default:
      return schema.format === 'uuid' ? crypto.randomUUID() : 'name'
  }
}

function sampleObject(schema: Part, schemas: Schemas, level: number) {
  const properties = (schema.properties ?? {}) as Record<string, Part>
  const required = (schema.required as string[] | undefined) ?? []
  if (level >= MAX_LEVELS) return {}
  const members = required.map((name) => [
    name,
    KNOWN[name] ?? sampleOf(properties[name] ?? {}, schemas, level + 1),
  ])
  return Object.fromEntries(members)
}

function resolve(schema: Part, schemas: Schemas): Part {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  return name === undefined ? schema : (schemas[name] ?? {})
}
