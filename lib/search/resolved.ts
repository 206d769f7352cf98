import type { SQL } from 'drizzle-orm'
import type { LogicalName, OperatorName, Quantifier } from '@/lib/definitions/operators'
import type { Literal } from '@/lib/kinds/field-kind'
import type { Kind } from '@/lib/kinds/kind'
import type { Mask, Relation, TargetField } from '@/lib/registry/target'
import type { LinkRows } from './link-sql'
import type { AggregateFunction, CountMode } from './search-input'
import type { Join, RelatedRows } from './sql-terms'
import type { Words } from './text-search'

/** A position in an order: the value of each of its terms there, as text. */
export type Position = (string | null)[]

/** A field of the target, or a path into one that holds JSON. */
export type FieldRef = {
  /** The name in the request. */
  name: string
  column: string
  /** Replaces the column; see `TargetField`. */
  expression?: string
  /** As of `TargetField`. */
  mask?: Mask
  /** Keys and indexes into the column's JSON; empty for the column itself. */
  path: string[]
  /** The kind by which it compares: `json` inside JSON. */
  kind: Kind
  nullable: boolean
  indexed?: boolean
  /** Belongs to a referred record, or to those that refer to this one. */
  isJoined?: boolean
  /** In place of a column, with what identifies it. */
  made?: { value: SQL; toJSON: () => unknown }
  /** A figure of these records, in place of a column. */
  figure?: RelatedRows
}

/** A condition in which every name is known and every value has its type. */
export type Resolved =
  | { type: 'test'; field: FieldRef; operator: OperatorName; values: Literal[]; orNull: boolean }
  | { type: LogicalName; of: Resolved[] }
  /** Text search, which has no conditions of its own. */
  | { type: 'words'; words: Words; of: [] }
  /** Of records that refer to one; `of` are conditions on them, which one or each must meet. */
  | { type: 'related'; quantifier: Quantifier; rows: RelatedRows; of: Resolved[] }

export type ResolvedSort = { field: FieldRef; direction: 'asc' | 'desc' }

/** A fully checked search, independent of SQL. */
export type ResolvedSearch = {
  /** All must hold. */
  where: Resolved[]
  /** Without the key, which ends every order. */
  sort: ResolvedSort[]
  /** In the order of output; null: all that are not hidden, with undeclared fields and the id. */
  fields: OutputField[] | null
  /** References whose records are returned in place of their keys. */
  expand?: Expansion[]
  /** The referred tables and columns that conditions, sort and fields need. */
  joins?: Join[]
  /** Returns groups of records instead of records. */
  group: ResolvedGroup | null
  page: number
  /** Continues after this position instead of at a page. */
  after?: Position
  size: number
  count: CountMode
}

/** `id`: the record's `persistenceId`. */
export type OutputField = { type: 'field'; field: FieldRef } | { type: 'id' }

/**
 * `field` is the reference; `expand` continues from the referred record. With `list` the records of `relation` refer to this one,
 * and `field` is what they are called.
 */
export type Expansion = {
  field: string
  column: string
  relation: Relation
  expand: Expansion[]
  list?: RelatedList
}

/** Which of the records that refer to one are returned, and what of them. `own`: the field that they refer to. */
export type RelatedList = Pick<ResolvedSearch, 'where' | 'sort' | 'fields'> & {
  own: TargetField
  joins: Join[]
  /** What is between, which has the fields of the relation. */
  link?: LinkRows
  limit: number
}

/** A column of grouped records: a field they are grouped by, or a figure about each group. */
export type GroupColumn =
  | { type: 'field'; label: string; field: FieldRef }
  /** Without a field it counts records. */
  | { type: 'aggregate'; label: string; function: AggregateFunction; field: FieldRef | null }

/** `column` is an index into `columns`. */
export type GroupSort = { column: number; direction: 'asc' | 'desc' }

/** Fields first, then figures. */
export type ResolvedGroup = { columns: GroupColumn[]; sort: GroupSort[] }
