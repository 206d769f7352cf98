import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { imageSchema } from '@/lib/images/contract'
import { listImages } from '@/lib/images/list-images'
import { pageOf } from '@/lib/openapi/responses'
import { searchBody } from '@/lib/search/contract'
import { inputOfBody } from '@/lib/search/read-input'

/** The search object, over images, for callers who may read them. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'searchImages',
      summary: 'Search images',
      responses: { 200: pageOf(imageSchema.partial()) },
    },
    access: 'images:read',
    body: searchBody.omit({ entity: true, groupBy: true }),
    readOnly: true,
    load: 'heavy',
    handle: async ({ deps, actor, body }) => {
      const page = await listImages(deps, inputOfBody(body), actor)
      return { ...page, data: new JsonText(page.data) }
    },
  }),
})
