import { methods, route } from '@/lib/http/route'
import { importParams, importShape } from '@/lib/import/contract'
import { cancelImport } from '@/lib/import/own-imports'

/** Stops an import. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'cancelImport',
      summary: 'Cancel an import',
      description:
        'While it waits or runs, on whichever instance; nothing of it is stored. 409 once it is over. Its owner may.',
      responses: { 200: importShape },
      fails: ['conflict'],
    },
    access: 'signed-in',
    params: importParams,
    handle: async ({ deps, actor, requestId, params }) => ({
      data: [await cancelImport(deps, params.id, { actor, requestId })],
    }),
  }),
})
