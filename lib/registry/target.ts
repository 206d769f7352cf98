import {
  type AddedIndex,
  type Entity,
  EXTRA_COLUMN,
  type Kind,
  type TableName,
} from '@/lib/definitions/definition'

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
  /** Column of undeclared fields, null when there is none. */
  extraColumn: string | null
  /** Names in `extraColumn` that can be searched. */
  extraFields: string[]
  /** Read-only, for administrators. */
  system: boolean
  /** Has added indexes, whose effect is measured. */
  isMeasured?: boolean
  /** Resolves a field to the record it refers to, for a reader; absent where references are not followed. */
  follow?: (field: string) => Relation | { fault: string } | null
}

/** The target of a field: the record of `target` whose `field` has its value, at most one. */
export type Relation = { target: SearchTarget; field: TargetField }

export function targetOf(entity: Entity): SearchTarget {
  const sorted = new Set(entity.addedIndexes.flatMap(sortedColumns))
  const fields = entity.properties.map(({ name, kind, rules }) => ({
    name,
    column: name,
    kind,
    nullable: !(rules.required || entity.keys.includes(name)),
    indexed: rules.indexed || sorted.has(name),
  }))
  return {
    name: entity.name,
    table: entity.table,
    fields,
    keys: entity.keys,
    indexes: entity.definition.indexes.map((index) => index.fields),
    extraColumn: entity.open ? EXTRA_COLUMN : null,
    extraFields: entity.open ? entity.extraFields : [],
    system: false,
    isMeasured: entity.addedIndexes.length > 0,
  }
}

/** The columns in whose order an added index can be read. */
const sortedColumns = ({ kind, error, parts }: AddedIndex): string[] =>
  kind !== 'btree' || error !== undefined
    ? []
    : parts
        .filter(({ use, path }) => use === 'sort' && path.length === 0)
        .map(({ column }) => column)
