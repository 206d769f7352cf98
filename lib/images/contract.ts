import { z } from 'zod'
import { limitedList } from '@/lib/values/limited-list'
import { trimmedText } from '@/lib/values/trimmed-text'
import { instant } from '@/lib/values/wire-types'

/** An image as the API returns it; interface.md §8. */
export const imageSchema = z
  .object({
    fileId: z.uuid(),
    id: z
      .string()
      .meta({ description: "Identifier in the storage, such as Cloudinary's asset id" }),
    publicId: z.string().meta({ description: '`folder/name` under which it is stored' }),
    name: z.string().meta({ description: 'The asset id, else the name the file was sent with' }),
    mediaType: z.string(),
    uri: z.string(),
    secureUri: z.string(),
    bytes: z.int(),
    format: z.string(),
    folder: z.string(),
    width: z.int().meta({ description: 'Pixels, as it is shown' }),
    height: z.int(),
    tags: z.array(z.string()),
    context: z.record(z.string(), z.string()),
    persistenceId: z.string(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Engine.Image' })
export type Image = z.infer<typeof imageSchema>

// The limits of Cloudinary, for all storages: it joins tags by commas.
const tag = trimmedText({
  missing: 'A tag must not be empty',
  max: 255,
  tooLong: 'A tag has at most 255 characters',
}).regex(/^[^,\p{Cc}]*$/u, 'A tag must not contain a comma or a control character')

const tags = limitedList(
  z.array(tag, 'Must be a list of texts'),
  100,
  'At most 100 tags are taken',
).transform((all) => [...new Set(all)])

const contextKey = z
  .string()
  .regex(/^[\p{L}\p{N}_-]{1,100}$/u, 'A key has 1 to 100 letters, digits, "_" or "-"')

const contextValue = z
  .string('Must be a text')
  .min(1, 'Must not be empty')
  .max(1000, 'At most 1000 characters are taken')
  .regex(/^(?!.*\\$)[^\0]*$/s, 'Must not contain U+0000 or end with a backslash')

const context = z
  .record(contextKey, contextValue, {
    error: (issue) =>
      issue.code === 'invalid_key' ? issue.issues[0]?.message : 'Must be an object of texts',
  })
  .refine((all) => Object.keys(all).length <= 100, 'At most 100 keys are taken')

/** `options` of an upload. */
export const uploadOptionsSchema = z.strictObject(
  { tags: tags.optional(), context: context.optional() },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Unknown: ${issue.keys.join(', ')}; known are tags, context`
        : 'Must be a JSON object',
  },
)
export type UploadOptions = z.infer<typeof uploadOptionsSchema>

/** A change: each given field is replaced as a whole. */
export const imagePatchSchema = z
  .strictObject({ tags: tags.optional(), context: context.optional() })
  .refine(({ tags, context }) => tags ?? context, 'Give "tags", "context" or both')
export type ImagePatch = z.infer<typeof imagePatchSchema>

const facet = z.object({ value: z.string(), count: z.int() })
/** A value of images, and the number of images with it. */
export type Facet = z.infer<typeof facet>
/** The values to filter images by. The folder of images without one is the empty text. */
export const imageFacetsSchema = z.object({
  folders: z.array(facet),
  tags: z.array(facet),
  formats: z.array(facet),
})
export type ImageFacets = z.infer<typeof imageFacetsSchema>

/** Details of an upload. */
export const uploadMeta = z.object({
  duplicateOf: z
    .string()
    .optional()
    .meta({ description: 'Id of another image of the folder with the same bytes' }),
})

/** The parts of an upload's form. */
export const uploadForm = z.object({
  file: z
    .string()
    .meta({ format: 'binary', description: 'PNG, JPEG, GIF, WebP or AVIF, detected by its bytes' }),
  namespace: z.string().optional().meta({ description: 'The folder, such as `shop/products`' }),
  assetId: z
    .string()
    .optional()
    .meta({ description: 'The name in the folder. An image of that name is replaced' }),
  options: z
    .string()
    .optional()
    .meta({
      description: 'JSON text: tags and context',
      contentMediaType: 'application/json',
      examples: ['{ "tags": ["new"], "context": { "alt": "A red bicycle" } }'],
    }),
  replaces: z.string().optional().meta({
    description:
      'The `fileId` of the image to replace, where `namespace` and `assetId` are not the texts that it was uploaded with but the names made from them',
  }),
  folder: z.string().optional().meta({ description: 'Another name of `namespace`' }),
  filename: z.string().optional().meta({ description: 'Another name of `assetId`' }),
})
