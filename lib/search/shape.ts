import type { Resolved } from './resolved'
import { isScalar, isWide } from './sql-terms'

/** What conditions are apart from their values: those of the same text on the same target have the same SQL. */
export const shapeOf = (conditions: readonly Resolved[]): string => conditions.map(partOf).join()

function partOf(condition: Resolved): string {
  if (condition.type !== 'test') return `${condition.type}(${shapeOf(condition.of)})`
  const { field, operator, values, orNull } = condition
  const kinds = values.map((value) =>
    isScalar(value) ? `${value.type}${isWide(value) ? '+' : ''}` : value.type,
  )
  const { column, path, mask } = field
  return JSON.stringify([column, path, Boolean(mask), operator, orNull, ...new Set(kinds)])
}
