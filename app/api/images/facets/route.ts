import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { imageFacets } from '@/lib/images/image-facets'

/** What images can be narrowed by: their folders, tags and formats, with the number of each. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'images:read',
    handle: async ({ deps }) => ({ data: [await imageFacets(deps.db)] }),
  }),
})
