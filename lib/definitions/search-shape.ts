import type { LogicalName, OperatorName } from './operators'

/** A condition of a search without its values. */
export type ShapeCondition =
  | { field: string; operator: OperatorName }
  | { operator: LogicalName; of: ShapeCondition[] }

/**
 * What searches have in common that differ only in their values: names of fields, operators, sort and
 * the kind of total. Equal conditions occur once and in a fixed order.
 */
export type SearchShape = {
  where: ShapeCondition[]
  sort: { field: string; direction: 'asc' | 'desc' }[]
  /** Fields that records are grouped by; absent where records are returned. */
  groupBy?: string[]
  count: 'exact' | 'estimated' | 'none'
  /** Skips so many records that the skipped ones cost time. */
  deep?: true
}

/** Times of the runs of a shape, in milliseconds. */
export type SearchFigures = { runs: number; totalMs: number; maxMs: number }
