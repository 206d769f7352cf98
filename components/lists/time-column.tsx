import type { Column } from '@/components/data-table/column'
import { Time } from '@/components/ui/time'

type Options<Row> = Omit<Partial<Column<Row>>, 'id' | 'header' | 'cell'> & {
  relative?: boolean
  /** Stands where there is no time. */
  none?: string
}

/** A column of instants, as wide as they are in full. */
export const timeColumn = <Row, Id extends keyof Row & string>(
  id: Id,
  header: string,
  { relative, none, ...column }: Options<Row> = {},
): Column<Row> => ({
  id,
  header,
  width: 165,
  ...column,
  cell: (row) => {
    const value = row[id] as string | null
    return none && !value ? none : <Time value={value} relative={relative} />
  },
})
