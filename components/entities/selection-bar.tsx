import { PencilIcon, Trash2Icon, XIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { Button, IconButton } from '@/components/ui/button'
import { formatCount } from '@/components/ui/number'
import { isViewedAs } from '@/lib/http/client'
import { ExportMenu } from './export-menu'
import { queryOfIds } from './record-key'
import type { View } from './view-queries'

const EditRecords = dynamic(() => import('./bulk-edit/edit-records'), { ssr: false })
const DeleteRecords = dynamic(() => import('./delete-records'), { ssr: false })

type Props = View & {
  selection: RowSelection
  shown: number
  mayUpdate: boolean
  mayDelete: boolean
}

/** Actions on the selected rows; in place of the toolbar, so that nothing moves. */
export default function SelectionBar({ selection, shown, mayUpdate, mayDelete, ...view }: Props) {
  const { entity, columns, query, total } = view
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpened(null)
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
      {!isViewedAs() && <ExportMenu {...view} query={chosen} size="sm" />}
      {mayUpdate && (
        <Button size="sm" onClick={() => setOpened('edit')}>
          <PencilIcon aria-hidden /> <span className="max-sm:sr-only">Edit</span>
        </Button>
      )}
      {mayDelete && (
        <Button size="sm" variant="destructive-outline" onClick={() => setOpened('delete')}>
          <Trash2Icon aria-hidden /> <span className="max-sm:sr-only">Delete</span>
        </Button>
      )}
      <IconButton icon={XIcon} label="Clear the selection" onClick={clear} />
      {opened === 'edit' && (
        <EditRecords
          {...{ entity, columns, count }}
          query={chosen}
          isMatch={allMatching}
          onClose={close}
        />
      )}
      {opened === 'delete' && (
        <DeleteRecords
          entity={entity}
          query={chosen}
          conditions={allMatching ? { filter: query, columns } : undefined}
          onClose={close}
          onDeleted={clear}
        />
      )}
    </div>
  )
}
