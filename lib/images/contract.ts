import { z } from 'zod'
import { foundRecord } from '@/lib/search/find-contract'
import { count, instant, strictObject } from '@/lib/values/wire-types'
import { context, tags } from './edit-contract'

const fraction = z
  .number('Must be a number from 0 to 1')
  .min(0, 'Must be at least 0')
  .max(1, 'Must be at most 1')
const extent = fraction.positive('Must be above 0')

/** A point of an image as it is shown. */
const focalPointSchema = z
  .strictObject({ x: fraction, y: fraction })
  .meta({ description: 'In fractions of width and height, from the upper left corner' })

/** Fractions such as 0.1 and 0.9 add up to slightly more than 1. */
const ROUNDING = 1e-9

/** A part of an image as it is shown. */
export const cropSchema = z
  .strictObject({ x: fraction, y: fraction, width: extent, height: extent })
  .refine(({ x, width }) => x + width <= 1 + ROUNDING, {
    path: ['width'],
    error: 'Reaches beyond the right edge: "x" and "width" are more than 1 together',
  })
  .refine(({ y, height }) => y + height <= 1 + ROUNDING, {
    path: ['height'],
    error: 'Reaches beyond the lower edge: "y" and "height" are more than 1 together',
  })
  .meta({ description: 'In fractions of width and height, from the upper left corner' })

/** An image as the API returns it. */
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
    crop: cropSchema.nullable().meta({
      description: 'What smaller forms show of the image; null: all of it',
    }),
    focalPoint: focalPointSchema.nullable().meta({
      description: 'What forms of other proportions are made around; null: the middle',
    }),
    persistenceId: z.string(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Engine.Image' })
export type Image = z.infer<typeof imageSchema>

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
  .strictObject({
    tags: tags.optional(),
    context: context.optional(),
    crop: cropSchema.nullable().optional(),
    focalPoint: focalPointSchema.nullable().optional(),
  })
  .refine(
    (patch) => Object.values(patch).some((value) => value !== undefined),
    'Give "tags", "context", "crop" or "focalPoint"',
  )
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
  ifExists: z.string().optional().meta({
    description:
      'What happens when there is an image of that name: `replace` (the default), or `refuse`, which is a 409 with its `fileId` in `meta.existing`, unless `replaces` is that image',
  }),
  folder: z.string().optional().meta({ description: 'Another name of `namespace`' }),
  filename: z.string().optional().meta({ description: 'Another name of `assetId`' }),
})

/** Records of one entity that are named. */
export const USES_OF_ENTITY = 20

/** A record that holds an address or an identifier of an image. */
export const imageUse = foundRecord
  .extend({
    fields: z.array(z.string()).meta({ description: 'Names of the fields that hold it' }),
  })
  .meta({ id: 'Engine.ImageUse' })
export type ImageUse = z.infer<typeof imageUse>

export const imageUsesMeta = z.object({
  hidden: count.meta({
    description: 'Records that hold it in entities that the caller may not read; at most 1000',
  }),
  more: z.array(z.string()).meta({
    description: `Entities with more such records than the ${USES_OF_ENTITY} that are named`,
  }),
  incomplete: z.array(z.string()).meta({
    description: 'Entities that could not be searched in time',
  }),
  complete: z.boolean().meta({ description: 'Every entity was searched' }),
})
export type ImageUsesMeta = z.infer<typeof imageUsesMeta>

const { namespace, folder, assetId, filename, replaces, ifExists } = uploadForm.shape

/** Body of `POST /api/images/upload-from-address`: the fields of an upload, with `url` for `file`. */
export const uploadFromAddressBody = strictObject({
  url: z
    .string()
    .min(1, 'must not be empty')
    .meta({ description: 'Of the image, over HTTP or HTTPS, on the public internet' }),
  ...{ namespace, folder, assetId, filename, replaces, ifExists },
  options: uploadOptionsSchema.optional(),
})
export type UploadFromAddressBody = z.infer<typeof uploadFromAddressBody>
