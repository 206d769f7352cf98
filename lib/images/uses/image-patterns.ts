/** What values that refer to an image look like. */
export type ImagePatterns = {
  /** For LIKE: a part of every address of the image. */
  like: string
  /** A regular expression of PostgreSQL, which only addresses of this image match. */
  address: string
  /** Values that identify it: its `fileId`, and its public id where that can't be another word. */
  ids: string[]
  publicId: string
}

type Named = { id: string; publicId: string }

/**
 * Every address that the image has or had, at either storage: whole or from its path on, of each
 * version, and of forms made of it.
 */
export function imagePatterns({ id, publicId }: Named): ImagePatterns {
  const path = publicId.split('/').map(encodeURIComponent).join('/')
  const exact = escapeRegExp(path)
  const local = `/api/images/files/${exact}[.][0-9a-f]{24}[.]`
  const cloudinary = `/upload/([^"[:space:]]*/)?v[0-9]+/${exact}[.]|/upload/${exact}[.]`
  return {
    like: `%/${escapeLike(path)}.%`,
    address: `${local}|${cloudinary}`,
    ids: publicId.includes('/') ? [id, publicId] : [id],
    publicId,
  }
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '[$&]')
const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
