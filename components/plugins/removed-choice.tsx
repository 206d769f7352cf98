'use client'
import { countOf } from '@/components/ui/number'
import { Select } from '@/components/ui/select'
import { installQueue, isPlanning, type QueueItem } from './install-queue'
import type { InstallPreview } from './types'

const CHOICES = [
  { value: 'keep', label: 'Keep them' },
  { value: 'delete', label: 'Delete unedited ones' },
] as const

/** What happens to records that the plugin gave before and gives no longer. A choice makes a new plan. */
export function RemovedChoice({ item, preview }: { item: QueueItem; preview: InstallPreview }) {
  const total = preview.files.reduce((sum, { removed }) => sum + removed.total, 0)
  if (total === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="mr-auto text-[13px]">
        {countOf(total, 'record is', 'records are')} no longer in the plugin
      </p>
      <Select
        size="sm"
        className="w-44"
        aria-label="Records no longer in the plugin"
        readOnly={isPlanning(item)}
        value={item.removed ?? 'keep'}
        onValueChange={(removed) => installQueue.setOptions(item.id, { removed })}
        options={CHOICES}
      />
    </div>
  )
}
