import { type ApiDocument, resolve, type Schema, type SchemaLike } from './document'

type Field = { name: string; schema: SchemaLike; required: boolean }

/** What can be opened below a schema: the fields of one object, or several forms to choose from. */
export type Inside =
  | { kind: 'fields'; fields: Field[]; others: SchemaLike | undefined }
  | { kind: 'forms'; forms: SchemaLike[] }

/** The schema behind references, with the parts of `allOf` put together; `{}` takes anything. */
export function flatten(document: ApiDocument, schema: SchemaLike | undefined): Schema {
  if (typeof schema !== 'object') return {}
  const found = resolve(document, schema)
  if (!found) return {}
  if (!found.allOf) return found
  const { allOf, ...own } = found
  const parts = [...allOf, own].map((part) => (part === own ? own : flatten(document, part)))
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required ?? []),
  }
}

export const formsOf = ({ anyOf, oneOf }: Schema): SchemaLike[] | undefined => oneOf ?? anyOf

/** `array of string (uuid)`, `integer | null`. */
export function typeText(document: ApiDocument, like: SchemaLike | undefined, depth = 0): string {
  const schema = flatten(document, like)
  const inner = (each: SchemaLike | undefined) => typeText(document, each, depth + 1)
  if (depth > MAX_DEPTH) return 'any'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return shorten(schema.enum.map((value) => JSON.stringify(value)))
  const forms = formsOf(schema)
  if (forms) return shorten([...new Set(forms.map(inner))])
  const types = typesOf(schema)
  if (types.length === 0) return 'any'
  return types.map((type) => simpleText(schema, type, inner)).join(' | ')
}

const MAX_DEPTH = 6
const MAX_CHOICES = 12

const shorten = (choices: string[]) =>
  choices.length > MAX_CHOICES
    ? `${choices.slice(0, MAX_CHOICES).join(' | ')} | …`
    : choices.join(' | ')

/** A schema that says no type may still say by its keywords which it is about. */
export function typesOf({ type, properties, items }: Schema): string[] {
  if (type !== undefined) return Array.isArray(type) ? type : [type]
  return properties ? ['object'] : items === undefined ? [] : ['array']
}

function simpleText(
  schema: Schema,
  type: string,
  inner: (schema: SchemaLike | undefined) => string,
): string {
  const { format, items, properties, additionalProperties: others, contentMediaType } = schema
  if (type === 'array') {
    const text = inner(items)
    return text.includes(' | ') ? `array of (${text})` : `array of ${text}`
  }
  if (type === 'object' && !properties && typeof others === 'object')
    return `object of ${inner(others)}`
  if (type !== 'string') return type
  if (isFile(schema)) return 'file'
  const note = format ?? contentMediaType
  return note ? `string (${note})` : type
}

export const isFile = ({ format, contentMediaType }: Schema): boolean =>
  format === 'binary' || contentMediaType === 'application/octet-stream'

/** What is below: through arrays, maps and `… | null`; null when the type has said it all. */
export function insideOf(document: ApiDocument, like: SchemaLike | undefined): Inside | null {
  let schema = flatten(document, like)
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const { properties, additionalProperties: others } = schema
    if (properties && Object.keys(properties).length > 0) return fieldsOf(schema)
    const forms = formsOf(schema)?.filter((form) => !isNull(document, form))
    if (forms && forms.length > 1) return chooseFrom(document, forms)
    const below = forms?.[0] ?? schema.items ?? (typeof others === 'object' ? others : undefined)
    if (below === undefined) return null
    schema = flatten(document, below)
  }
  return null
}

function fieldsOf({ properties = {}, required = [], additionalProperties }: Schema): Inside {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }))
  return { kind: 'fields', fields, others: additionalProperties }
}

/** Only forms with something to open are worth a choice: the type names the rest. */
function chooseFrom(document: ApiDocument, forms: SchemaLike[]): Inside | null {
  const rich = forms.filter((form) => insideOf(document, form) !== null)
  const [only] = rich
  if (only === undefined) return null
  return rich.length === 1 ? insideOf(document, only) : { kind: 'forms', forms: rich }
}

const isNull = (document: ApiDocument, form: SchemaLike) =>
  typesOf(flatten(document, form)).join() === 'null'

/** Limits of a value, each a few words: `1–64 characters`, `default 10`. */
export function rulesOf(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, uniqueItems, pattern } = schema
  return [
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    uniqueItems ? 'distinct items' : null,
    range(safe(schema.minimum), safe(schema.maximum)),
    schema.exclusiveMinimum === undefined ? null : `> ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum === undefined ? null : `< ${schema.exclusiveMaximum}`,
    pattern !== undefined && schema.format === undefined && pattern.length <= MAX_PATTERN
      ? `matches ${pattern}`
      : null,
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ].filter((rule) => rule !== null)
}

const MAX_PATTERN = 60

function range(min: number | undefined, max: number | undefined, unit = ''): string | null {
  if (min === undefined && max === undefined) return null
  if (max === undefined) return join(`≥ ${min}`, unit)
  return join(min === undefined ? `≤ ${max}` : min === max ? `${min}` : `${min}–${max}`, unit)
}

const join = (text: string, unit: string) => (unit ? `${text} ${unit}` : text)

/** The limits of exact numbers are no limits in practice. */
const safe = (limit: number | undefined) =>
  limit !== undefined && Math.abs(limit) >= Number.MAX_SAFE_INTEGER ? undefined : limit
