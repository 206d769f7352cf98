'use client'
import { useMutation } from '@tanstack/react-query'
import pLimit from 'p-limit'
import { toast } from 'sonner'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { countOf, formatCount } from '@/components/ui/number'
import { messageOf } from '@/lib/errors'
import { ApiError } from '@/lib/http/client'
import { deleteImage, refreshImages } from './image-queries'
import { DeletionUses } from './uses/deletion-uses'
import { useDeletionUses } from './uses/use-deletion-uses'

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
    onSuccess: ({ gone, failures }) => {
      onDeleted(gone)
      void refreshImages()
      if (gone.length > 0) toast.success(`${countOf(gone.length, 'image')} deleted`)
      if (failures[0])
        toast.error(`${countOf(failures.length, 'image')} could not be deleted: ${failures[0]}`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={name && count === 1 ? `Delete “${name}”?` : `Delete ${countOf(count, 'image')}?`}
      description={`${lost} This can’t be undone.`}
      confirmLabel={name && count === 1 ? 'Delete image' : `Delete ${formatCount(count)}`}
      typeToConfirm={count > MANY ? 'images' : undefined}
      disabled={found.isLooking}
      busy={deletion.isPending}
      error={deletion.error?.message}
      onConfirm={() => deletion.mutate()}
    >
      <DeletionUses found={found} count={count} />
    </ConfirmDialog>
  )
}

/** An image that no longer exists counts as deleted. */
async function deleteAll(fileIds: readonly string[]) {
  const inTurn = pLimit(AT_ONCE)
  const gone: string[] = []
  const failures: string[] = []
  const remove = async (fileId: string) => {
    try {
      await deleteImage(fileId)
      gone.push(fileId)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) gone.push(fileId)
      else failures.push(messageOf(error))
    }
  }
  await Promise.all(fileIds.map((fileId) => inTurn(() => remove(fileId))))
  return { gone, failures }
}
