'use client'
import { Trash2Icon, XIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/components/ui/number'
import { ExportMenu } from './export-menu'
import { queryOfIds } from './record-key'
import type { View } from './view'

const DeleteRecords = dynamic(() => import('./delete-records'), { ssr: false })

type Props = View & { selection: RowSelection; shown: number; mayDelete: boolean }

/** Actions on the selected rows; in place of the toolbar, so that nothing moves. */
export default function SelectionBar({ selection, shown, mayDelete, ...view }: Props) {
  const { entity, columns, query, total } = view
  const [deleting, setDeleting] = useState(false)
  const { ids, allMatching, selectAllMatching, clear } = selection
  const keys = columns.filter(({ key }) => key).map(({ name }) => name)
  const count = allMatching ? total : ids.size
  const chosen = allMatching ? query : queryOfIds(keys, [...ids])
  const offersAll = !allMatching && total !== null && ids.size >= shown && total > ids.size
  return (
    <div className="flex min-h-7 items-center gap-1 sm:gap-2 rounded-md bg-primary-soft/60 pl-2.5 text-[13px]">
      <p aria-live="polite" className="min-w-0 truncate">
        <strong className="font-medium">{count === null ? 'All' : formatCount(count)}</strong>{' '}
        selected{allMatching && ', on every page'}
      </p>
      {offersAll && (
        <Button size="sm" variant="ghost" onClick={selectAllMatching}>
          Select all {formatCount(total)}
          <span className="max-sm:sr-only"> matching</span>
        </Button>
      )}
      <span className="ml-auto" />
      <ExportMenu {...view} query={chosen} size="sm" />
      {mayDelete && (
        <Button size="sm" variant="destructive-outline" onClick={() => setDeleting(true)}>
          <Trash2Icon aria-hidden /> <span className="max-sm:sr-only">Delete</span>
        </Button>
      )}
      <Button size="icon-sm" variant="ghost" aria-label="Clear the selection" onClick={clear}>
        <XIcon aria-hidden />
      </Button>
      {deleting && (
        <DeleteRecords
          entity={entity}
          query={chosen}
          conditions={allMatching ? { filter: query, columns } : undefined}
          onClose={() => setDeleting(false)}
          onDeleted={clear}
        />
      )}
    </div>
  )
}
