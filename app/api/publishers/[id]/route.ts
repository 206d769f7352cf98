import { methods, route } from '@/lib/http/route'
import { deletePublisher } from '@/lib/publishers/change-publishers'
import { publisher, publisherParams } from '@/lib/publishers/contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({
    doc: {
      id: 'deletePublisher',
      summary: 'Remove a publisher',
      description:
        'What is installed stays; archives of its key are of an unknown one from then on.',
      responses: { 200: publisher },
    },
    access: 'security:manage',
    params: publisherParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => ({
      data: [await deletePublisher(deps, id, { actor, requestId })],
    }),
  }),
})
