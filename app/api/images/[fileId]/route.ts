import { z } from 'zod'
import { appUrl } from '@/lib/auth/app-url'
import { methods, route } from '@/lib/http/route'
import { imagePatchSchema, imageSchema } from '@/lib/images/contract'
import { deleteImage } from '@/lib/images/delete-image'
import { patchImage } from '@/lib/images/patch-image'
import { findImage } from '@/lib/images/store'
import { toImage } from '@/lib/images/to-image'

const params = z.strictObject({ fileId: z.string() })
const query = z.strictObject({})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readImage',
      summary: 'Read the record of an image',
      responses: { 200: imageSchema },
    },
    access: 'images:read',
    params,
    query,
    handle: async ({ deps, params }) => {
      const image = await findImage(deps.db, params.fileId)
      return { data: [toImage(image, appUrl(deps.settings))] }
    },
  }),
  PATCH: route({
    doc: {
      id: 'changeImage',
      summary: 'Change tags, context, crop and focal point of an image',
      description:
        'Each given one replaces what was there as a whole; null removes crop or focal point. The file stays as it is: smaller forms show the crop, and those of other proportions are made around the focal point.',
      responses: { 200: imageSchema },
      fails: ['upstream_failed', 'upstream_timeout'],
      example: {
        tags: ['new'],
        context: { alt: 'A red bicycle' },
        crop: { x: 0.1, y: 0, width: 0.8, height: 1 },
        focalPoint: { x: 0.25, y: 0.5 },
      },
    },
    access: 'images:upload',
    params,
    query,
    body: imagePatchSchema,
    handle: async ({ deps, actor, requestId, params, body }) => {
      const image = await patchImage(deps, { actor, requestId }, params.fileId, body)
      return { data: [toImage(image, appUrl(deps.settings))] }
    },
  }),
  DELETE: route({
    doc: {
      id: 'deleteImage',
      summary: 'Delete an image',
      responses: { 200: imageSchema },
      fails: ['conflict', 'upstream_failed', 'upstream_timeout'],
    },
    access: 'images:delete',
    params,
    query,
    handle: async ({ deps, actor, requestId, params }) => {
      const image = await deleteImage(deps, { actor, requestId }, params.fileId)
      return { data: [toImage(image, appUrl(deps.settings))] }
    },
  }),
})
