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

export type Section = { title: string | null; columns: ColumnDescription[] }

/** The fields by the groups of their definition, those without one first; groups in the order in which they begin. */
export function sectionsOf(columns: readonly ColumnDescription[]): Section[] {
  const titles = new Set([null, ...columns.map(({ display }) => display?.group ?? null)])
  return [...titles]
    .map((title) => ({
      title,
      columns: columns.filter(({ display }) => (display?.group ?? null) === title),
    }))
    .filter((section) => section.columns.length > 0)
}

/** The fields of a record as its panel shows them: its own by their groups, those beyond the definition, the server's last. */
export function fieldGroups(columns: readonly ColumnDescription[]): FieldGroup[] {
  const system = columns.filter(isSystemField)
  const others = columns.filter((column) => !system.includes(column))
  const groups = [
    ...sectionsOf(others.filter(({ declared }) => declared)).map((section) => ({
      ...section,
      quiet: false,
    })),
    { title: 'Not in the definition', quiet: false, columns: others.filter((c) => !c.declared) },
    { title: 'History', quiet: true, columns: system },
  ]
  return groups.filter((group) => group.columns.length > 0)
}
