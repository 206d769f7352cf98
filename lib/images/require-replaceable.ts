import type { ImageRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import type { UploadFields } from './read-upload-fields'

type Named = Pick<ImageRow, 'publicId' | 'sentAs'>
type Wanted = Pick<UploadFields, 'replaces' | 'mayReplace'>

/**
 * Throws `conflict` when an upload names another image in `replaces` than the one that it would replace, or none
 * where there is none; and when there is an image of the public id of an upload which the upload does not name in
 * `replaces`, and which it may not replace, or has the same name by coincidence: one was cleaned, the other was
 * sent literally.
 */
export function requireReplaceable(
  before: (Named & { id: string }) | null,
  { publicId, sentAs }: Named,
  { replaces, mayReplace }: Wanted,
): void {
  if (replaces !== null && before?.id !== replaces) throw notReplaced(publicId, before, replaces)
  if (before === null || before.id === replaces) return
  const isSame = before.sentAs === null || before.sentAs === sentAs
  if (isSame && mayReplace) return
  const origin = isSame
    ? 'an image that exists'
    : `the image that was uploaded as ${JSON.stringify(before.sentAs?.slice(0, 200))}`
  throw new AppError(
    'conflict',
    `"${publicId}" is the name of ${origin}; choose another name, or send the fileId of that image in "replaces"`,
    { meta: { existing: before.id } },
  )
}

const notReplaced = (publicId: string, before: { id: string } | null, replaces: string) =>
  new AppError(
    'conflict',
    `"${publicId}" is ${before ? 'the name of another image' : 'no name of an image'}, not of ${JSON.stringify(replaces.slice(0, 100))}, which "replaces" names; nothing was replaced`,
    { meta: before ? { existing: before.id } : {} },
  )
