import type { ReactNode } from 'react'
import type { Column } from '@/components/data-table/column'
import { formatCount } from '@/components/ui/number'
import { Time } from '@/components/ui/time'

type Options<Row> = Omit<Partial<Column<Row>>, 'id' | 'header' | 'cell'>

/** A column of a list, `width` pixels wide: the field of its name, or what `cell` makes of a row. */
export const column = <Row,>(
  id: string,
  header: string,
  width: number,
  cell: ((row: Row) => ReactNode) | null = null,
  options: Omit<Options<Row>, 'width'> = {},
): Column<Row> => ({
  ...{ id, header, width, ...options },
  cell: cell ?? ((row) => (row as Record<string, ReactNode>)[id] ?? '—'),
})

export const countColumn = <Row, Id extends keyof Row & string>(
  id: Id,
  header: string,
  width: number,
): Column<Row> =>
  column<Row>(id, header, width, (row) => formatCount(Number(row[id])), { align: 'end' })

type TimeOptions<Row> = Options<Row> & {
  relative?: boolean
  /** Stands where there is no time. */
  none?: string
}

/** A column of instants, as wide as they are in full. */
export const timeColumn = <Row, Id extends keyof Row & string>(
  id: Id,
  header: string,
  { relative, none, ...options }: TimeOptions<Row> = {},
): Column<Row> => ({
  ...{ id, header, width: 165, ...options },
  cell: (row) => {
    const value = row[id] as string | null
    return none && !value ? none : <Time value={value} relative={relative} />
  },
})
