import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { imageSchema } from '@/lib/images/contract'
import { listImages } from '@/lib/images/list-images'
import { pageOf } from '@/lib/openapi/responses'
import { searchQuery } from '@/lib/search/contract'
import { inputOfQuery } from '@/lib/search/read-input'

/** The search by address, over images. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listImages',
      summary: 'List images',
      description: 'The newest first, unless `sort` says otherwise.',
      responses: { 200: pageOf(imageSchema.partial()) },
    },
    access: 'images:read',
    query: searchQuery,
    load: 'heavy',
    handle: async ({ deps, actor, query }) => {
      const page = await listImages(deps, inputOfQuery(query), actor)
      return { ...page, data: new JsonText(page.data) }
    },
  }),
})
