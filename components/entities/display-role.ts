import type { DisplayRole } from '@/lib/definitions/display'
import type { ColumnDescription } from './types'

/** The field that the definition of the entity names for this. */
export const fieldFor = (
  role: DisplayRole,
  columns: readonly ColumnDescription[],
): ColumnDescription | undefined => columns.find(({ display }) => display?.roles?.includes(role))
