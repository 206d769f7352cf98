import { z } from 'zod'
import { appUrl } from '@/lib/auth/app-url'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { imagePatchSchema } from '@/lib/images/contract'
import { deleteImage } from '@/lib/images/delete-image'
import { patchImage } from '@/lib/images/patch-image'
import { findImage } from '@/lib/images/store'
import { toImage } from '@/lib/images/to-image'

const params = z.strictObject({ fileId: z.string() })
const query = z.strictObject({})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'images:read',
    params,
    query,
    handle: async ({ deps, params }) => {
      const image = await findImage(deps.db, params.fileId)
      return { data: [toImage(image, appUrl(deps.settings))] }
    },
  }),
  PATCH: route({
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
    access: 'images:delete',
    params,
    query,
    handle: async ({ deps, actor, requestId, params }) => {
      const image = await deleteImage(deps, { actor, requestId }, params.fileId)
      return { data: [toImage(image, appUrl(deps.settings))] }
    },
  }),
})
