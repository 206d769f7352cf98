import type { SQL } from 'drizzle-orm'
import {
  type AddedIndex,
  type Entity,
  EXTRA_COLUMN,
  type TableName,
} from '@/lib/definitions/definition'
import { entityIndexes } from '@/lib/definitions/entity-indexes'
import type { TextSearch } from '@/lib/definitions/text-search'
import type { Kind } from '@/lib/kinds/kind'

export type TargetField = {
  /** Name in records, filters and sorts. */
  name: string
  column: string
  kind: Kind
  /** False where the table has NOT NULL. */
  nullable: boolean
  /** Has an index in the order of sorting; a hint for speed only. */
  indexed?: boolean
  /** Returned only when `fields` names it. */
  hidden?: boolean
  /** SQL over the table's columns that replaces the column. Only constants of our own code. */
  expression?: string
  /** A path relative to the app's address, or absolute; always served absolute. */
  address?: true
  /** Only some rows show it. */
  mask?: Mask
  /** Text search looks in it. */
  textSearch?: TextSearch
}

/** Of a field that only some rows show to a reader: `value` is null in the others. Its JSON identifies it. */
export type Mask = { condition: SQL; value: SQL; toJSON: () => unknown }

/** Which rows a reader may see. `lib/search` says what it is made of. */
export interface RowRule {
  /** Over the columns of the table, and of the tables that it joins. */
  sql: SQL
  /** What identifies it. */
  toJSON: () => unknown
}

/** What can be searched: an installed entity's table, or an own table with its visible columns. */
export type SearchTarget = {
  name: string
  table: TableName
  fields: TargetField[]
  /** Names of the key fields, in order; at least one. */
  keys: string[]
  /** Columns of the indexes over several fields; a hint for speed only. */
  indexes?: string[][]
  /** The fields of the index for text search, whoever may see them. */
  document?: TargetField[]
  /** Columns that are part of no index. */
  unindexed?: ReadonlySet<string>
  /** Column of undeclared fields, null when there is none. */
  extraColumn: string | null
  /** Names in `extraColumn` that can be searched. */
  extraFields: string[]
  /** In place of `extraColumn`: what the reader may see of it. */
  extra?: Mask
  /** The rows that the reader may see; absent: all. */
  rule?: RowRule
  /** What policies say is more than can be carried out; `rule` shows no row. */
  isTooLarge?: true
  /** Read-only, for administrators. */
  system: boolean
  /** Has added indexes, whose effect is measured. */
  isMeasured?: boolean
  /** As of `Entity`. */
  isDistributed?: boolean
  /** Of the definition: another one has another version. Absent where it is not known. */
  version?: string
  /** The id of the user who asks, which `$me` stands for; null for a caller who is no person, absent where nobody asks. */
  reader?: string | null
  /** Resolves a field to the record it refers to, for a reader; absent where references are not followed. */
  follow?: (field: string) => Relation | { fault: string } | null
  /** The other direction: the records that refer to one, by the names of these relations; absent where they are not followed. */
  inverse?: { names: () => string[]; find: (name: string) => Inverse | null }
}

export type FieldPair = { own: TargetField; field: TargetField }

/**
 * The records of `target` whose fields have the values of these fields of a record: any number of them. With `link` the
 * pairs lead to its records, and those on to `target`, each to one, by `field` of the link and `own` of `target`.
 */
export type Inverse = {
  target: SearchTarget
  pairs: FieldPair[]
  link?: { target: SearchTarget; beyond: FieldPair[] }
}

/**
 * The target of a field: the record of `target` whose `field` has its value, at most one. `further`:
 * other fields that identify it together with this one, of the referring record and of the target.
 */
export type Relation = {
  target: SearchTarget
  field: TargetField
  further: FieldPair[]
}

const targets = new WeakMap<Entity, SearchTarget>()

/** The same object for the same entity. */
export function targetOf(entity: Entity): SearchTarget {
  const known = targets.get(entity) ?? makeTarget(entity)
  targets.set(entity, known)
  return known
}

function makeTarget(entity: Entity): SearchTarget {
  const sorted = new Set(entity.addedIndexes.flatMap(sortedColumns))
  const fields = entity.properties.map(({ name, kind, rules }) => ({
    name,
    column: name,
    kind,
    nullable: !(rules.required || entity.keys.includes(name)),
    indexed: rules.indexed || sorted.has(name),
    ...(rules.textSearch ? { textSearch: rules.textSearch } : {}),
  }))
  return {
    name: entity.name,
    table: entity.table,
    fields,
    keys: entity.keys,
    indexes: entityIndexes(entity).map((index) => index.fields),
    document: fields.filter(({ textSearch }) => textSearch),
    unindexed: unindexedColumns(entity),
    extraColumn: entity.open ? EXTRA_COLUMN : null,
    extraFields: entity.open ? entity.extraFields : [],
    system: false,
    isMeasured: entity.addedIndexes.length > 0,
    version: entity.version,
    ...(entity.isDistributed ? { isDistributed: true } : {}),
  }
}

/** The columns in whose order an added index can be read. */
const sortedColumns = ({ kind, error, parts }: AddedIndex): string[] =>
  kind !== 'btree' || error !== undefined
    ? []
    : parts
        .filter(({ use, path }) => use === 'sort' && path.length === 0)
        .map(({ column }) => column)

function unindexedColumns(entity: Entity): Set<string> {
  const single = entity.properties.filter(
    ({ rules }) => rules.indexed || rules.searchable || rules.unique || rules.reference,
  )
  const several = [
    ...entityIndexes(entity).flatMap(({ fields }) => fields),
    ...entity.addedIndexes.flatMap(({ parts }) => parts.map(({ column }) => column)),
  ]
  const indexed = new Set([...entity.keys, ...single.map(({ name }) => name), ...several])
  return new Set(entity.properties.map(({ name }) => name).filter((name) => !indexed.has(name)))
}
