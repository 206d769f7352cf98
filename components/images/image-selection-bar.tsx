'use client'
import { Trash2Icon, XIcon } from 'lucide-react'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/components/ui/number'

type Props = { selection: RowSelection; shown: number; onDelete: () => void }

/** Actions on the selected images; in place of the toolbar, so that nothing moves. */
export function ImageSelectionBar({ selection, shown, onDelete }: Props) {
  const { ids, togglePage, clear } = selection
  const mayDelete = useCan('images:delete')
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-2 self-start rounded-md bg-primary-soft/60 pl-2.5 text-[13px]">
      <p aria-live="polite">
        <strong className="font-medium">{formatCount(ids.size)}</strong> selected
      </p>
      {ids.size < shown && (
        <Button size="sm" variant="ghost" onClick={togglePage}>
          Select all {formatCount(shown)}
          <span className="max-sm:sr-only"> on this page</span>
        </Button>
      )}
      <span className="ml-auto" />
      {mayDelete && (
        <Button size="sm" variant="destructive-outline" onClick={onDelete}>
          <Trash2Icon aria-hidden /> Delete
        </Button>
      )}
      <Button size="icon-sm" variant="ghost" aria-label="Clear the selection" onClick={clear}>
        <XIcon aria-hidden />
      </Button>
    </div>
  )
}
