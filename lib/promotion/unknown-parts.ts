import type { Json, JsonObject } from '@/lib/values/json'

/** `definitions`: of the document that it is in. */
type Schema = { part: JsonObject; definitions: JsonObject }

export const schemaOf = (document: JsonObject): Schema => ({
  part: document,
  definitions: asObject(document.definitions),
})

/**
 * The places in `value` whose names or words the source's schema knows and the target's does not, such as
 * `properties.0.unit`. What neither knows is an addition of the author, which both ignore.
 */
export function unknownParts(value: Json, source: Schema, target: Schema, path = ''): string[] {
  const [known, there] = [branches(source), branches(target)]
  if (Array.isArray(value))
    return value.flatMap((item, at) =>
      below(item, { known, there, path: join(path, String(at)) }, (part) => asSchema(part.items)),
    )
  if (typeof value === 'object' && value !== null) return unknownKeys(value, known, there, path)
  return isWord(value, known) && !isWord(value, there) && hasWords(there)
    ? [`${path} (${JSON.stringify(value)})`]
    : []
}

function unknownKeys(
  value: JsonObject,
  known: readonly Schema[],
  there: readonly Schema[],
  path: string,
): string[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const has = ({ part }: Schema) => Object.hasOwn(asObject(part.properties), key)
    const place = join(path, key)
    if (known.some(has) && there.length > 0 && !there.some(has) && !there.some(isOpen))
      return [place]
    const next = (part: JsonObject) =>
      asSchema(asObject(part.properties)[key]) ?? asSchema(part.additionalProperties)
    return below(item, { known, there, path: place }, next)
  })
}

type Place = { known: readonly Schema[]; there: readonly Schema[]; path: string }

function below(
  item: Json | undefined,
  { known, there, path }: Place,
  next: (part: JsonObject) => JsonObject | null,
): string[] {
  const step = (all: readonly Schema[]) =>
    all.flatMap(({ part, definitions }) => {
      const found = next(part)
      return found ? branches({ part: found, definitions }) : []
    })
  const [source, target] = [step(known), step(there)]
  if (item === undefined || source.length === 0 || target.length === 0) return []
  return unknownParts(item, anyOf(source), anyOf(target), path)
}

/** A schema of alternatives, which is taken apart again at once. */
const anyOf = (all: readonly Schema[]): Schema => ({
  part: { anyOf: all.map(({ part }) => part) },
  definitions: Object.assign({}, ...all.map(({ definitions }) => definitions)),
})

const MAX_DEPTH = 32

/** The alternatives of a schema, without references. */
function branches({ part, definitions }: Schema, depth = 0): Schema[] {
  if (depth > MAX_DEPTH) return []
  const more = (next: JsonObject) => branches({ part: next, definitions }, depth + 1)
  const name = typeof part.$ref === 'string' ? part.$ref.replace('#/definitions/', '') : null
  if (name !== null) return more(asObject(definitions[name]))
  const alternatives = [part.anyOf, part.oneOf, part.allOf].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  return [{ part, definitions }, ...alternatives.flatMap((one) => more(asObject(one)))]
}

/** Whether it says that any name may be there. */
const isOpen = ({ part }: Schema) =>
  typeof part.additionalProperties === 'object' || part.additionalProperties === true

const wordsOf = (all: readonly Schema[]): Json[] =>
  all.flatMap(({ part }) => [
    ...(Array.isArray(part.enum) ? part.enum : []),
    ...(part.const === undefined ? [] : [part.const]),
  ])

const hasWords = (all: readonly Schema[]) => wordsOf(all).length > 0
const isWord = (value: Json, all: readonly Schema[]) => wordsOf(all).includes(value)

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)
const asObject = (value: Json | undefined): JsonObject => asSchema(value) ?? {}
const asSchema = (value: Json | undefined): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
