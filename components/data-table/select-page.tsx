'use client'
import { Checkbox } from '@/components/ui/checkbox'
import type { RowSelection } from './use-row-selection'

/** The box that selects the page. */
export function SelectPage({ selection, ids }: { selection: RowSelection; ids: string[] }) {
  const chosen = ids.filter((id) => selection.has(id)).length
  return (
    <th scope="col" className="sticky top-0 z-10 border-b bg-card px-3 text-left">
      <Checkbox
        aria-label="Select all on this page"
        checked={ids.length > 0 && chosen === ids.length}
        indeterminate={chosen > 0 && chosen < ids.length}
        disabled={ids.length === 0}
        onCheckedChange={selection.togglePage}
      />
    </th>
  )
}
