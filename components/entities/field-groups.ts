import { isWholeKind } from '@/lib/kinds/kind'
import { AUDIT_FIELDS } from './draft'
import type { ColumnDescription } from './types'

export type FieldGroup = {
  /** Null for what the record is about. */
  title: string | null
  /** Kept by the server: read rarely. */
  quiet: boolean
  columns: ColumnDescription[]
}

/** When and by whom a record was made and changed, and its version: of use to few readers. */
const isSystemField = ({ name, kind, key }: ColumnDescription): boolean =>
  !key && (AUDIT_FIELDS.includes(name) || (name === 'version' && isWholeKind(kind)))

/** The fields of a record as its panel shows them: its own, those beyond the definition, the server's last. */
export function fieldGroups(columns: readonly ColumnDescription[]): FieldGroup[] {
  const system = columns.filter(isSystemField)
  const others = columns.filter((column) => !system.includes(column))
  const groups = [
    { title: null, quiet: false, columns: others.filter(({ declared }) => declared) },
    { title: 'Not in the definition', quiet: false, columns: others.filter((c) => !c.declared) },
    { title: 'History', quiet: true, columns: system },
  ]
  return groups.filter((group) => group.columns.length > 0)
}
