import { z } from 'zod'

/** An image as the API answers it; interface.md §8. Times in ISO 8601, UTC. */
export type Image = {
  fileId: string
  id: string
  /** `folder/name` under which it is stored. */
  publicId: string
  /** The asset id, else the name the file was sent with. */
  name: string
  mediaType: string
  uri: string
  secureUri: string
  bytes: number
  format: string
  folder: string
  width: number
  height: number
  tags: string[]
  context: Record<string, string>
  persistenceId: string
  createdAt: string
  updatedAt: string
}

// What Cloudinary can hold, wherever the image is kept: tags are joined by commas there.
const tag = z
  .string()
  .trim()
  .min(1, 'A tag must not be empty')
  .max(255, 'A tag has at most 255 characters')
  .regex(/^[^,\p{Cc}]*$/u, 'A tag must not contain a comma or a control character')

const tags = z
  .array(tag, 'Must be a list of texts')
  .max(100, 'At most 100 tags are taken')
  .transform((all) => [...new Set(all)])

const contextKey = z
  .string()
  .regex(/^[\p{L}\p{N}_-]{1,100}$/u, 'A key has 1 to 100 letters, digits, "_" or "-"')

const contextValue = z
  .string('Must be a text')
  .min(1, 'Must not be empty')
  .max(1000, 'At most 1000 characters are taken')
  .regex(/^(?!.*\\$)[^\0]*$/s, 'Must not contain U+0000 or end with a backslash')

const context = z
  .record(contextKey, contextValue, 'Must be an object of texts')
  .refine((all) => Object.keys(all).length <= 100, 'At most 100 keys are taken')

/** `options` of an upload. */
export const uploadOptionsSchema = z.strictObject(
  { tags: tags.optional(), context: context.optional() },
  'Must be a JSON object',
)
export type UploadOptions = z.infer<typeof uploadOptionsSchema>

/** A change: each given one replaces what was there as a whole. */
export const imagePatchSchema = z
  .strictObject({ tags: tags.optional(), context: context.optional() })
  .refine(({ tags, context }) => tags ?? context, 'Give "tags", "context" or both')
export type ImagePatch = z.infer<typeof imagePatchSchema>

/** A value that images have, and how many have it. */
export type Facet = { value: string; count: number }
/** What images can be narrowed by. The folder of images without one is the empty text. */
export type ImageFacets = { folders: Facet[]; tags: Facet[]; formats: Facet[] }

/** Pixels. A closed list, so that nobody can fill the disk with sizes of their own. */
export const THUMBNAIL_WIDTHS = [64, 128, 256, 512, 1024] as const
export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number]

/** Address of a smaller form of an image, never wider than the image itself. */
export function thumbnailUri(image: Pick<Image, 'secureUri'>, width: ThumbnailWidth): string {
  const { secureUri } = image
  if (secureUri.includes('/api/images/files/')) return `${secureUri}?w=${width}`
  return secureUri.replace('/upload/', `/upload/c_limit,w_${width}/f_auto,q_auto/`)
}
