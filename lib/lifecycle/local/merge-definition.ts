import type { Definitions } from '@/lib/archives/plugin-file'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { type Disputed, type Merging, mergeJson, same } from './merge-json'

type Kind = Definitions['kind']
/** Definitions as files have them; `base`: as the author gave it, null: the author did not. */
type Versions = { base: JsonObject | null; ours: JsonObject; theirs: JsonObject }

/**
 * What was changed here in a definition, merged with its author's next version: field by field, and rule by rule of
 * these. `side` decides about what both changed. Pure.
 */
export function mergeDefinition(
  kind: Kind,
  versions: Versions,
  side: 'keep' | 'take',
): { merged: JsonObject; disputed: Disputed[] } {
  const [base, ours, theirs] = marked(kind, [versions.base ?? {}, versions.ours, versions.theirs])
  const disputed: Disputed[] = []
  const merging: Merging = { side, disputed, list: nameIn, place }
  const merged = mergeJson({ base, ours, theirs }, [], merging) as JsonObject
  return { merged: kind === 'schema' ? unmarked(merged, versions.ours) : merged, disputed }
}

/** Fields by which two versions of a definition differ; what follows from a renaming is none. */
export function differences(kind: Kind, base: JsonObject | null, ours: JsonObject): Difference[] {
  const [from = {}, to = {}] = marked(kind, [base ?? {}, ours])
  return differencesIn(withoutFormer(from), withoutFormer(to), [])
}

export type Difference = { field: string; base: Json; ours: Json }

function differencesIn(
  base: Json | undefined,
  ours: Json | undefined,
  path: string[],
): Difference[] {
  if (same(base, ours)) return []
  if (isObject(base) && isObject(ours)) {
    const keys = new Set([...Object.keys(base), ...Object.keys(ours)])
    keys.delete(FIRST)
    return [...keys].flatMap((key) => differencesIn(base[key], ours[key], [...path, key]))
  }
  const nameOf = Array.isArray(base) && Array.isArray(ours) && nameIn(path, [...base, ...ours])
  if (nameOf)
    return differencesIn(byName(base as Json[], nameOf), byName(ours as Json[], nameOf), path)
  return [{ field: place(path), base: base ?? null, ours: ours ?? null }]
}

const byName = (items: readonly Json[], nameOf: (item: Json) => string): JsonObject =>
  Object.fromEntries(items.map((item) => [nameOf(item), item]))

/** Where a field has another name in some version, its first one tells that it is the same. */
const FIRST = '$first'

/** What tells the items of the list at this place apart, if it is made of such. */
function nameIn(path: readonly string[], items: readonly Json[]): ((item: Json) => string) | null {
  if (path.at(-1) === 'enum')
    return (item) => JSON.stringify(isObject(item) && 'value' in item ? item.value : item)
  if (path.length !== 1 || !items.every(isObject)) return null
  const part = (name: string) => (item: Json) => (isObject(item) ? item[name] : undefined)
  if (path[0] === 'properties') return (item) => String(part(FIRST)(item) ?? part('name')(item))
  const isByFields = path[0] === 'indexes' || path[0] === 'unique'
  return isByFields ? (item) => JSON.stringify(part('fields')(item)) : null
}

const LEFT_OUT = ['properties', 'meta']
const place = (path: readonly string[]): string =>
  path.filter((part) => !LEFT_OUT.includes(part)).join('.') || 'definition'

const propertiesOf = ({ properties }: JsonObject): JsonObject[] =>
  Array.isArray(properties) ? properties.filter(isObject) : []
const formerOf = ({ renamedFrom = [] }: JsonObject): string[] => [renamedFrom].flat().map(String)

/** Versions of a schema whose fields say the name that they had in the first one. */
function marked(kind: Kind, versions: readonly JsonObject[]): JsonObject[] {
  if (kind !== 'schema') return [...versions]
  const known = new Set(propertiesOf(versions[0] ?? {}).map(({ name }) => String(name)))
  return versions.map((version) => {
    const names = new Set(propertiesOf(version).map(({ name }) => String(name)))
    const properties = propertiesOf(version).map((property) => {
      const isFirst = (name: string) => known.has(name) && !names.has(name)
      const first = formerOf(property).find(isFirst)
      return known.has(String(property.name)) || !first ? property : { ...property, [FIRST]: first }
    })
    return { ...version, properties }
  })
}

/** Fields say by which name the values are stored here. */
function unmarked(merged: JsonObject, ours: JsonObject): JsonObject {
  const firstOf = ({ [FIRST]: first, name }: JsonObject) => String(first ?? name)
  const names = new Set(propertiesOf(merged).map(({ name }) => name))
  const here = new Map(
    propertiesOf(marked('schema', [merged, ours])[1] ?? {}).map((one) => [firstOf(one), one]),
  )
  const properties = propertiesOf(merged).map((property) => {
    const { [FIRST]: _, renamedFrom: __, ...rest } = property
    const stored = here.get(firstOf(property))?.name
    const isMoved = stored !== undefined && stored !== property.name && !names.has(stored)
    const former = [...(isMoved ? [String(stored)] : []), ...formerOf(property)]
    const renamedFrom = [...new Set(former)].filter((name) => name !== property.name)
    return renamedFrom.length > 0 ? { ...rest, renamedFrom } : rest
  })
  return { ...merged, properties }
}

function withoutFormer(definition: JsonObject): JsonObject {
  const { renamedFrom: _, ...rest } = definition
  if (!Array.isArray(rest.properties)) return rest
  const properties = propertiesOf(rest).map(({ renamedFrom: __, ...property }) => property)
  return { ...rest, properties }
}
