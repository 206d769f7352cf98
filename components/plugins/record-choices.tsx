import { countOf } from '@/components/ui/number'
import { Select } from '@/components/ui/select'
import { installQueue, isPlanning, type QueueItem } from './install-queue'
import type { FileLog, InstallPreview } from './searches'

type Props = { item: QueueItem; preview: InstallPreview }

const REMOVED = [
  { value: 'keep', label: 'Keep them' },
  { value: 'delete', label: 'Delete unedited ones' },
] as const

const DELETED = [
  { value: 'keep', label: 'Keep them deleted' },
  { value: 'restore', label: 'Bring them back' },
] as const

/**
 * What happens to records that the plugin gave before: those that it gives no longer, and those that were deleted here. A
 * choice makes a new plan.
 */
export function RecordChoices({ item, preview: { files } }: Props) {
  const sum = (value: (file: FileLog) => number) =>
    files.reduce((total, file) => total + value(file), 0)
  const removed = sum((file) => file.removed.total)
  const kept = sum((file) => file.deleted.kept)
  const restored = sum((file) => file.deleted.restored)
  const common = { className: 'w-44', size: 'sm', readOnly: isPlanning(item) } as const
  return (
    <>
      {removed > 0 && (
        <Line text={`${countOf(removed, 'record is', 'records are')} no longer in the plugin`}>
          <Select
            {...common}
            aria-label="Records no longer in the plugin"
            value={item.removed ?? 'keep'}
            onValueChange={(choice) => installQueue.setOptions(item.id, { removed: choice })}
            options={REMOVED}
          />
        </Line>
      )}
      {kept + restored > 0 && (
        <Line text={deletedText(kept, restored)}>
          <Select
            {...common}
            aria-label="Records that were deleted here"
            value={item.deleted ?? 'keep'}
            onValueChange={(choice) => installQueue.setOptions(item.id, { deleted: choice })}
            options={DELETED}
          />
        </Line>
      )}
    </>
  )
}

function deletedText(kept: number, restored: number): string {
  const were = (count: number) => countOf(count, 'record that was', 'records that were')
  const parts = [
    kept > 0 && `${were(kept)} deleted here ${kept === 1 ? 'stays' : 'stay'} deleted`,
    restored > 0 && `${were(restored)} deleted here ${restored === 1 ? 'comes' : 'come'} back`,
  ]
  return parts.filter(Boolean).join('; ')
}

const Line = ({ text, children }: { text: string; children: React.ReactNode }) => (
  <div className="flex flex-wrap items-center gap-2">
    <p className="mr-auto text-[13px]">{text}</p>
    {children}
  </div>
)
