import { methods, route } from '@/lib/http/route'
import { imageFacetsSchema } from '@/lib/images/contract'
import { imageFacets } from '@/lib/images/image-facets'

/** The values to filter images by: their folders, tags and formats, with the number of images. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listImageFacets',
      summary: 'List folders, tags and formats of images',
      description: 'With the number of images of each.',
      responses: { 200: imageFacetsSchema },
    },
    access: 'images:read',
    handle: async ({ deps }) => ({ data: [await imageFacets(deps.db)] }),
  }),
})
