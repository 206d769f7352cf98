import { type ExactJson, plainText } from '@/lib/values/exact-json'
import { CellValue } from './cell-value'
import { useReferenceTitle } from './reference-titles'
import type { ColumnDescription } from './types'

type Props = { value: ExactJson | undefined; column: ColumnDescription }

/** A value that may be of long ago: a reference by the name and the code of its record, without what a click would open. */
export function NamedValue({ value, column }: Props) {
  const { reference, ...rules } = column.rules
  const isNamed = reference && !reference.with && value !== null && value !== undefined
  const code = isNamed ? plainText(value) : ''
  const title = useReferenceTitle(
    isNamed ? { entity: reference.entity, values: { [reference.field]: code } } : null,
  )
  if (title === null) {
    return <CellValue value={value} column={{ ...column, rules }} record={{ persistenceId: '' }} />
  }
  return (
    <>
      <bdi>{title}</bdi> <span className="text-xs text-muted-foreground">{code}</span>
    </>
  )
}
