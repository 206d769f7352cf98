import type { ImportPreview } from '@/lib/import/preview-contract'
import type { Mapping } from './import-item'

type Columns = ImportPreview['columns']

/** The mapping that is shown, with `column` as `field`; a column that had this field is left out. */
export function mappingWith(columns: Columns, column: string, field: string | null): Mapping {
  const others = columns
    .filter((one) => one.column !== column && one.column !== REASON)
    .map((one) => [one.column, one.field === field ? null : one.field])
  return Object.fromEntries([...others, [column, field]])
}

/** The last column of a file of refused rows is never a field. */
const REASON = 'engine:reason'
