import {
  type AddedIndex,
  type AddedPart,
  type Entity,
  EXTRA_COLUMN,
  type Property,
  type TableName,
} from '@/lib/definitions/definition'
import { entityIndexes } from '@/lib/definitions/entity-indexes'
import { isJsonKind, isPlaceKind, isTextKind } from '@/lib/kinds/kind'
import { objectName } from './ddl/object-name'
import type { IndexPart, IndexSpec } from './ddl-step'

/** A B-tree entry holds at most 2,704 bytes; numbers and dates next to the texts need some of it. */
const MAX_ENTRY_BYTES = 2_400

/** Every index of an entity's table except its primary key: of its definition, and added ones. */
export function tableIndexes(entity: Entity): IndexSpec[] {
  const byName = new Map(entity.properties.map((property) => [property.name, property]))
  const single = entity.properties
    .filter(({ name }) => !isSoleKey(entity, name))
    .flatMap((property) => propertyIndexes(entity, property))
  const declared = entityIndexes(entity)
    .filter(({ fields }) => fields.every((field) => byName.has(field)))
    .map(
      ({ fields, unique }): Draft => ({
        method: 'btree',
        unique,
        parts: fields.map((column) => ({ column })),
      }),
    )
  const specs = [...single, ...documentIndex(entity), ...declared].map((draft) =>
    finish(entity.table, draft, byName),
  )
  const added = entity.addedIndexes.flatMap((index) => addedIndexSpec(entity, index) ?? [])
  specs.push(...added)
  return [...new Map(specs.map((spec) => [spec.name, spec])).values()]
}

/** Begins the names of added indexes, and of no other. */
export const ADDED_PREFIX = 'ax'

/**
 * The index that an added one is in the present table; null when it failed, or when its fields are gone or of
 * a type that it can't hold. Ends with the key, as sorts do.
 */
export function addedIndexSpec(entity: Entity, added: AddedIndex): IndexSpec | null {
  if (added.error !== undefined) return null
  const byName = new Map(entity.properties.map((property) => [property.name, property]))
  const parts = addedParts(entity, added, byName)
  if (parts === null) return null
  const method = added.kind === 'btree' ? 'btree' : 'gin'
  return finish(entity.table, { method, unique: added.unique, parts }, byName, ADDED_PREFIX)
}

/** The largest size in bytes of a text in an index or the primary key; null: unlimited. */
export function maxTextBytes(entity: Entity, name: string): number | null {
  const keyed = entity.keys.includes(name) ? [keyBytes(entity)] : []
  const limits = tableIndexes(entity)
    .filter(({ parts }) => parts.some(({ column }) => column === name))
    .map(({ maxBytes }) => maxBytes)
    .filter((bytes) => bytes !== null)
  const all = [...limits, ...keyed]
  return all.length > 0 ? Math.min(...all) : null
}

type Draft = Omit<IndexSpec, 'name' | 'maxBytes'>

const isSoleKey = ({ keys }: Entity, name: string) => keys.length === 1 && keys[0] === name

function propertyIndexes({ keys }: Entity, { name, kind, rules }: Property): Draft[] {
  const column = { column: name }
  const sorted = keys.filter((key) => key !== name).map((key) => ({ column: key }))
  if (isPlaceKind(kind)) {
    const parts = [{ ...column, place: true as const }]
    return rules.indexed ? [{ method: 'gist', unique: false, parts }] : []
  }
  if (isJsonKind(kind)) {
    const wanted = rules.indexed || rules.searchable
    return wanted ? [gin({ ...column, operators: 'jsonb_path_ops' })] : []
  }
  const indexed = rules.indexed || rules.reference !== undefined
  const drafts: Draft[] = []
  if (rules.unique) drafts.push({ method: 'btree', unique: true, parts: [column] })
  if (!isTextKind(kind)) return indexed ? [...drafts, btree([column, ...sorted])] : drafts
  if (indexed && !rules.unique) drafts.push(btree([column]))
  if (rules.indexed) drafts.push(btree([{ ...column, natural: true }, ...sorted]))
  if (rules.searchable) drafts.push(gin({ ...column, operators: 'gin_trgm_ops' }))
  return drafts
}

/** Of all fields that the text search of the entity looks in. */
function documentIndex({ properties }: Entity): Draft[] {
  const parts = properties.flatMap(({ name, rules: { textSearch } }) =>
    textSearch ? [{ column: name, words: textSearch }] : [],
  )
  return parts.length > 0 ? [{ method: 'gin', unique: false, parts }] : []
}

const btree = (parts: IndexPart[]): Draft => ({ method: 'btree', unique: false, parts })
const gin = (part: IndexPart): Draft => ({ method: 'gin', unique: false, parts: [part] })

function finish(
  table: TableName,
  draft: Draft,
  byName: ReadonlyMap<string, Property>,
  prefix = draft.unique ? 'ux' : 'ix',
): IndexSpec {
  const { method, unique, parts } = draft
  const words = parts.map(wordOf)
  const texts = parts.filter(({ column }) => isText(byName.get(column))).length
  return {
    name: objectName(prefix, table, words),
    method,
    unique,
    parts,
    maxBytes: method !== 'btree' || texts === 0 ? null : Math.floor(MAX_ENTRY_BYTES / texts),
  }
}

function wordOf({ column, natural, operators, place, words, json, descending }: IndexPart): string {
  const found = words ? `words.${words.weight}.${words.language}` : ''
  const use = natural ? 'natural' : place ? 'place' : (operators ?? found)
  const inside = json ? `${json.key ?? ''}.${json.value}` : ''
  return [column, use, inside, descending ? 'desc' : ''].filter(Boolean).join('.')
}

function keyBytes({ keys, properties }: Entity): number {
  const texts = properties.filter((property) => keys.includes(property.name) && isText(property))
  return Math.floor(MAX_ENTRY_BYTES / Math.max(1, texts.length))
}

const isText = (property: Property | undefined): boolean =>
  property !== undefined && isTextKind(property.kind)

type ByName = ReadonlyMap<string, Property>

/** The parts of an added index in the present table; null when it can't hold them. */
function addedParts(
  entity: Entity,
  { kind, unique, parts }: AddedIndex,
  byName: ByName,
): IndexPart[] | null {
  const present = parts.map((part) => presentPart(entity, part, byName))
  const known = present.filter((part) => part !== null)
  if (known.length < present.length) return null
  if (kind !== 'btree') return ginParts(kind, known)
  const isFit = known.every(
    ({ isJson, path, use }) => !isJson || (use === 'sort' && path.length < 2),
  )
  if (!isFit || (unique && known.some(({ isJson }) => isJson))) return null
  const held = known.flatMap(btreeParts)
  return unique ? held : [...held, ...keyParts(entity, held)]
}

type Present = AddedPart & { isJson: boolean; isText: boolean }

/** An undeclared field may have been declared since, and a declared one may be gone. */
function presentPart(entity: Entity, part: AddedPart, byName: ByName): Present | null {
  const [first, ...rest] = part.path
  const declared =
    part.column === EXTRA_COLUMN && first !== undefined ? byName.get(first) : undefined
  if (declared) return describe({ ...part, column: declared.name, path: rest }, declared)
  if (part.column === EXTRA_COLUMN)
    return entity.open ? { ...part, isJson: true, isText: false } : null
  const property = byName.get(part.column)
  return property ? describe(part, property) : null
}

function describe(part: AddedPart, { kind }: Property): Present | null {
  const isJson = isJsonKind(kind)
  if (!isJson && part.path.length > 0) return null
  return { ...part, isJson, isText: isTextKind(kind) }
}

function ginParts(kind: 'trigram' | 'json', [part]: Present[]): IndexPart[] | null {
  if (!part || (kind === 'json' ? !part.isJson : !part.isText)) return null
  const operators = kind === 'json' ? 'jsonb_path_ops' : 'gin_trgm_ops'
  return [{ column: part.column, operators }]
}

function btreeParts({ column, path, use, isJson, isText, descending }: Present): IndexPart[] {
  if (!isJson) return [isText && use === 'sort' ? { column, natural: true } : { column }]
  const key = path[0] ?? null
  return (['rank', 'number', 'text'] as const).map((value) => ({
    column,
    json: { key, value },
    ...(descending ? { descending } : {}),
  }))
}

/** The keys, which end every order, unless they are in it. */
function keyParts({ keys }: Entity, held: readonly IndexPart[]): IndexPart[] {
  const descending = held.at(-1)?.descending
  return keys
    .filter((key) => !held.some(({ column, natural, json }) => column === key && !natural && !json))
    .map((column) => (descending ? { column, descending } : { column }))
}
