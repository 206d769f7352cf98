import type { ImportColumn } from '@/lib/db/schema'
import type { Entity } from '@/lib/definitions/definition'
import { compileEntity } from '@/lib/rows/compiled-entity'
import { acceptsText } from '@/lib/rows/record-schema'
import { LongNumber, type SourceRow } from '../file/source'

/** Returns a function that says why a row can't be read as a record; undefined where it can. */
export function rowFaults(
  entity: Entity,
  columns: readonly ImportColumn[],
): (row: SourceRow) => string | undefined {
  const { fields } = compileEntity(entity)
  const whole = columns.flatMap(({ field }, at) => {
    const property = field === null ? undefined : fields.get(field)?.property
    return property?.kind === 'integer' && acceptsText(property) ? [{ field, at }] : []
  })
  return (row) => {
    if (row.fault !== undefined || !('cells' in row)) return row.fault
    const inexact = whole.find(({ at }) => isInexact(row.cells[at]))
    return inexact && `${inexact.field} ${row.cells[inexact.at]} ${INEXACT}`
  }
}

/** A number that the file may have rounded, as numbers of workbooks are doubles. */
const isInexact = (cell: unknown): boolean =>
  cell instanceof LongNumber ||
  (typeof cell === 'number' && Math.abs(cell) > Number.MAX_SAFE_INTEGER)

const INEXACT =
  'is beyond 2^53, where the numbers of a workbook (doubles) are not exact; make the cell a text'
