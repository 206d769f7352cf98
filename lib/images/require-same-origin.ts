import type { ImageRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'

type Named = Pick<ImageRow, 'publicId' | 'sentAs'>

/**
 * Throws `conflict` when an image has the public id of an upload by coincidence: one name was
 * cleaned, the other was sent literally. `replaces`: the id of the image that is meant.
 */
export function requireSameOrigin(
  before: (Named & { id: string }) | null,
  { publicId, sentAs }: Named,
  replaces: string | null,
): void {
  if (before === null || before.sentAs === null || before.sentAs === sentAs) return
  if (before.id === replaces) return
  throw new AppError(
    'conflict',
    `"${publicId}" is the name of the image that was uploaded as ${JSON.stringify(before.sentAs.slice(0, 200))}; choose another name, or send the fileId of that image in "replaces"`,
  )
}
