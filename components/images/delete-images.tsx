import { useMutation, useQueries } from '@tanstack/react-query'
import pLimit from 'p-limit'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { countOf } from '@/components/ui/number'
import { toast } from '@/components/ui/toast'
import { messageOf } from '@/lib/errors'
import { ApiError } from '@/lib/http/client'
import { deleteImage, refreshImages } from './image-queries'
import { isUnused, mergeUses, UseList, usesOptions } from './image-uses'

type Props = {
  fileIds: readonly string[]
  /** Of a single image. */
  name?: string
  onClose: () => void
  onDeleted: (fileIds: readonly string[]) => void
}

/** From here on a word has to be typed. */
const MANY = 100
const AT_ONCE = 4

/** Asks before images are deleted permanently. */
export default function DeleteImages({ fileIds, name, onClose, onDeleted }: Props) {
  const count = fileIds.length
  const lost =
    count === 1
      ? 'The file is removed from the storage, and its address stops working.'
      : 'The files are removed from the storage, and their addresses stop working.'
  const found = useDeletionUses(fileIds)
  const deletion = useMutation({
    mutationFn: () => deleteAll(fileIds),
    onSuccess: ({ removed, failures }) => {
      onDeleted(removed)
      void refreshImages()
      if (removed.length > 0) toast.success(`${countOf(removed.length, 'image')} deleted`)
      if (failures[0])
        toast.error(`${countOf(failures.length, 'image')} could not be deleted: ${failures[0]}`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      title={name && count === 1 ? `Delete “${name}”?` : `Delete ${countOf(count, 'image')}?`}
      description={`${lost} This can’t be undone.`}
      confirmLabel={count === 1 ? 'Delete image' : `Delete ${countOf(count, 'image')}`}
      typeToConfirm={count > MANY ? 'images' : undefined}
      disabled={found.isLooking}
      attempt={deletion}
      onConfirm={() => deletion.mutate()}
    >
      <DeletionUses found={found} count={count} />
    </ConfirmDialog>
  )
}

/** An image that no longer exists counts as deleted. */
async function deleteAll(fileIds: readonly string[]) {
  const inTurn = pLimit(AT_ONCE)
  const removed: string[] = []
  const failures: string[] = []
  const remove = async (fileId: string) => {
    try {
      await deleteImage(fileId)
      removed.push(fileId)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) removed.push(fileId)
      else failures.push(messageOf(error))
    }
  }
  await Promise.all(fileIds.map((fileId) => inTurn(() => remove(fileId))))
  return { removed, failures }
}

type DeletionUsesProps = { found: ReturnType<typeof useDeletionUses>; count: number }

/** What a deletion of `count` images leaves without its image. */
function DeletionUses({ found: { uses, error, isLooking, looked }, count }: DeletionUsesProps) {
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

/** Every entity is searched for each image, so the records of so many are looked for. */
const MAX_IMAGES = 10

/** The records that use any of these images, as of now. */
function useDeletionUses(fileIds: readonly string[]) {
  const asked = fileIds.slice(0, MAX_IMAGES)
  const results = useQueries({
    queries: asked.map((fileId) => ({
      ...usesOptions(fileId),
      refetchOnMount: 'always' as const,
      gcTime: 0,
    })),
  })
  const found = results.flatMap(({ data }) => (data ? [data] : []))
  return {
    uses: mergeUses(found),
    /** Of how many images they are. */
    looked: found.length,
    error: results.find(({ error }) => error)?.error ?? null,
    isLooking: results.some(({ isFetching }) => isFetching),
  }
}
