import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { imageUse, imageUsesMeta } from '@/lib/images/contract'
import { imageUses } from '@/lib/images/image-uses'
import { listOf } from '@/lib/openapi/responses'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listImageUses',
      summary: 'List the records that use an image',
      description:
        'Those whose texts or JSON hold one of its addresses, its `fileId`, or its public id. Entities that the caller may not read are only counted.',
      responses: { 200: listOf(imageUse, { meta: imageUsesMeta }) },
    },
    access: 'images:read',
    params: z.strictObject({ fileId: z.string() }),
    query: z.strictObject({}),
    load: 'heavy',
    handle: async ({ deps, actor, params }) => {
      const { uses, meta } = await imageUses(deps, actor, params.fileId)
      return { data: uses, meta }
    },
  }),
})
