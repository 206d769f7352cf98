import { type ApiDocument, type Examples, resolve, type Schema, type SchemaLike } from './document'
import { flatten, formsOf, typesOf } from './schema'

/** `request`: the required fields. `response`: every field that may be returned. */
type Extent = 'request' | 'response'

/** The document's example of a parameter, a body or a response; else undefined. */
export function exampleOf(
  document: ApiDocument,
  { example, examples, schema }: Examples & { schema?: SchemaLike },
): unknown {
  if (example !== undefined) return example
  const [first] = Object.values(examples ?? {})
  const stated = first && resolve(document, first)
  return stated?.value ?? statedIn(flatten(document, schema))
}

/** A value that fits: the document's example, else one made from the schema. */
export const sampleOf = (
  document: ApiDocument,
  thing: Examples & { schema?: SchemaLike },
  extent: Extent,
): unknown => exampleOf(document, thing) ?? fromSchema(document, thing.schema, extent, 0)

function fromSchema(
  document: ApiDocument,
  like: SchemaLike | undefined,
  extent: Extent,
  depth: number,
  name = '',
): unknown {
  const schema = flatten(document, like)
  const stated = statedIn(schema) ?? schema.default
  if (stated !== undefined) return stated
  if (depth > MAX_DEPTH) return null
  const forms = formsOf(schema)
  if (forms) return fromSchema(document, forms[0], extent, depth + 1)
  const [type] = typesOf(schema)
  if (type === 'object') return objectFrom(document, schema, extent, depth)
  if (type === 'array')
    return schema.items === undefined || (extent === 'request' && !schema.minItems && depth > 0)
      ? []
      : [fromSchema(document, schema.items, extent, depth + 1)]
  const text = extent === 'request' && name ? placeholder(name) : 'text'
  return scalarFrom(schema, type, text)
}

const MAX_DEPTH = 6

const statedIn = ({ example, examples, const: only, enum: choices }: Schema) =>
  example ?? examples?.[0] ?? only ?? choices?.[0]

function objectFrom(
  document: ApiDocument,
  { properties = {}, required = [] }: Schema,
  extent: Extent,
  depth: number,
): Record<string, unknown> {
  const wanted = Object.entries(properties).filter(
    ([name]) => extent === 'response' || required.includes(name),
  )
  return Object.fromEntries(
    wanted.map(([name, schema]) => [name, fromSchema(document, schema, extent, depth + 1, name)]),
  )
}

/** A placeholder for the caller to replace: `userId` → `USER_ID`. */
export const placeholder = (name: string): string =>
  name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()

const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  time: '12:00:00',
  email: 'name@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
}

function scalarFrom(schema: Schema, type: string | undefined, text: string): unknown {
  const { format = '', minimum, minLength = 0 } = schema
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(minimum ?? 0, 0)
  if (type === 'string') return BY_FORMAT[format] ?? text.padEnd(minLength, '.')
  return type === 'null' ? null : {}
}

/** A possible response of this status, which the envelope repeats. */
export function responseSample(
  document: ApiDocument,
  content: Examples & { schema?: SchemaLike },
  status: string,
): unknown {
  const sample = sampleOf(document, content, 'response')
  if (typeof sample !== 'object' || sample === null || !('timestamp' in sample)) return sample
  return { ...sample, code: Number(status), status: REASONS[status] ?? 'OK' }
}

const REASONS: Record<string, string> = { 201: 'CREATED', 202: 'ACCEPTED' }
