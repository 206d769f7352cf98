import { Columns3Icon } from 'lucide-react'
import dynamic from 'next/dynamic'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Popover } from '@/components/ui/popover'
import { Skeleton } from '@/components/ui/state'
import type { Column } from './column'
import type { ListState } from './use-list-state'

const ColumnsPanel = dynamic(() => import('./columns-panel'), {
  loading: () => <Skeleton className="h-40" />,
})

/** Which columns are shown, and what is looked for among those that can be. */
export type ChosenColumns = {
  ids: readonly string[]
  /** In small letters; empty: all of them. */
  sought: string
  onToggle: (id: string, on: boolean) => void
}

type Props<Row> = {
  columns: readonly Column<Row>[]
  list: ListState
  layoutKey: string
  /** Columns that are known once they are chosen. */
  further?: (chosen: ChosenColumns) => ReactNode
}

/** Shows, hides and orders columns and sets the height of rows. */
export function ColumnsMenu<Row>(props: Props<Row>) {
  return (
    <Popover
      title="Columns"
      align="end"
      className="w-72"
      trigger={
        <Button size="sm">
          <Columns3Icon aria-hidden />
          Columns
        </Button>
      }
    >
      <ColumnsPanel {...(props as ComponentProps<typeof ColumnsPanel>)} />
    </Popover>
  )
}
