import { methods, route } from '@/lib/http/route'
import { taggedText } from '@/lib/http/tagged-text'
import { viewsFor } from '@/lib/openapi/entity-views'
import { nothing, raw } from '@/lib/openapi/responses'
import { typeDeclarations } from '@/lib/openapi/type-declarations'
import { listEntities } from '@/lib/registry/registry'

/** TypeScript types of the entities that the caller may read. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readTypes',
      summary: 'Read TypeScript types of the entities',
      description:
        'For those that the caller may read: records, new ones and changes, with the fields that the caller may read or send.',
      responses: {
        200: raw('application/typescript', { headers: ['ETag'] }),
        304: nothing('It has not changed', ['ETag']),
      },
      headers: ['If-None-Match'],
    },
    access: 'signed-in',
    handle: async ({ request, deps, actor }) => {
      const entities = viewsFor(actor, await listEntities(deps))
      return taggedText(
        request,
        typeDeclarations(entities),
        'application/typescript; charset=utf-8',
      )
    },
  }),
})
