import type { Condition } from '@/components/data-table/filter/condition'
import { describe, type FilterField } from '@/components/data-table/filter/field'
import type { TrashBatch } from '@/lib/trash/contract'

/** The conditions of a deletion in words, one each; `All records` without any, null where they are not known. */
export function conditionTexts(
  { query }: Pick<TrashBatch, 'query'>,
  fields: readonly FilterField[] = [],
  timeZone?: string,
): string[] | null {
  if (query === null) return null
  if (query.length === 0) return ['All records']
  return (query as Condition[]).map((condition) => describe(condition, fields, timeZone))
}
