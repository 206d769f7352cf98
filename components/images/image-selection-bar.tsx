'use client'
import { TagsIcon, Trash2Icon, XIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { Condition } from '@/components/data-table/filter/condition'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/components/ui/number'
import type { Image } from '@/lib/images/contract'

const EditLabels = dynamic(() => import('./edit-labels/edit-labels'), { ssr: false })

type Props = {
  selection: RowSelection
  /** Those on the page. */
  images: readonly Image[]
  /** The conditions of the list, and how many images match them. */
  query: readonly Condition[]
  total: number
  onDelete: () => void
}

/** Actions on the selected images; in place of the toolbar, so that nothing moves. */
export function ImageSelectionBar({ selection, images, query, total, onDelete }: Props) {
  const { ids, allMatching, clear } = selection
  const [editing, setEditing] = useState(false)
  const mayLabel = useCan('images:upload')
  const mayDelete = useCan('images:delete')
  const count = allMatching ? total : ids.size
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-2 self-start rounded-md bg-primary-soft/60 pl-2.5 text-[13px]">
      <p aria-live="polite">
        <strong className="font-medium">{formatCount(count)}</strong> selected
        {allMatching && ', on every page'}
      </p>
      <SelectMore selection={selection} shown={images.length} total={mayLabel ? total : 0} />
      <span className="ml-auto" />
      {mayLabel && (
        <Button size="sm" onClick={() => setEditing(true)}>
          <TagsIcon aria-hidden /> Edit labels
        </Button>
      )}
      {mayDelete && !allMatching && (
        <Button size="sm" variant="destructive-outline" onClick={onDelete}>
          <Trash2Icon aria-hidden /> Delete
        </Button>
      )}
      <Button size="icon-sm" variant="ghost" aria-label="Clear the selection" onClick={clear}>
        <XIcon aria-hidden />
      </Button>
      {editing && (
        <EditLabels
          selection={allMatching ? { query } : { ids: [...ids] }}
          count={count}
          images={images.filter(({ fileId }) => selection.has(fileId))}
          onClose={() => setEditing(false)}
          onEdited={clear}
        />
      )}
    </div>
  )
}

type MoreProps = { selection: RowSelection; shown: number; total: number }

/** The page first, then what is on other pages. */
function SelectMore({ selection, shown, total }: MoreProps) {
  const { ids, allMatching, togglePage, selectAllMatching } = selection
  if (allMatching) return null
  if (ids.size < shown)
    return (
      <Button size="sm" variant="ghost" onClick={togglePage}>
        Select all {formatCount(shown)}
        <span className="max-sm:sr-only"> on this page</span>
      </Button>
    )
  if (total <= ids.size) return null
  return (
    <Button size="sm" variant="ghost" onClick={selectAllMatching}>
      Select all {formatCount(total)}
      <span className="max-sm:sr-only"> matching</span>
    </Button>
  )
}
