'use client'
import { countOf } from '@/components/ui/number'
import { isUnused } from './merge-uses'
import type { useDeletionUses } from './use-deletion-uses'
import { UseList } from './use-list'

type Props = { found: ReturnType<typeof useDeletionUses>; count: number }

/** What a deletion of `count` images leaves without its image. */
export function DeletionUses({ found: { uses, error, isLooking, looked }, count }: Props) {
  const what = count === 1 ? 'the image' : 'the images'
  const records = uses.uses.length
  return (
    <div role="status" aria-busy={isLooking} className="grid gap-2 text-[13px]">
      {isLooking && <p>Looking for records that use {what}…</p>}
      {!isLooking && records > 0 && (
        <p>
          {countOf(records, 'record')} {records === 1 ? 'uses' : 'use'} {what} and{' '}
          {records === 1 ? 'is' : 'are'} left without:
        </p>
      )}
      {!isLooking && looked > 0 && !isUnused(uses) && (
        <div className="max-h-60 overflow-y-auto rounded-md border px-3 py-2">
          <UseList found={uses} />
        </div>
      )}
      {!isLooking && looked > 0 && isUnused(uses) && <p>No record uses {what}.</p>}
      {!isLooking && looked < count && (
        <p className="text-muted-foreground">
          {looked === 0
            ? `Whether records use ${what} is not known`
            : `Only those of ${looked} of ${countOf(count, 'image')} were looked for`}
          {error ? `: ${error.message}` : '.'}
        </p>
      )}
    </div>
  )
}
