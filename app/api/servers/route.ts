import { methods, route } from '@/lib/http/route'
import { createServer } from '@/lib/servers/change-servers'
import { createServerBody, otherServer } from '@/lib/servers/contract'
import { listServers } from '@/lib/servers/store'

/** Other engines, from which something is brought here, or to which it is sent. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listServers',
      summary: 'List the other servers',
      description: 'All of them, by name: there are at most 100.',
      responses: { 200: otherServer },
    },
    access: 'security:manage',
    handle: async ({ deps }) => ({ data: await listServers(deps) }),
  }),
  POST: route({
    doc: {
      id: 'createServer',
      summary: 'Add another server',
      responses: { 201: otherServer },
      fails: ['conflict'],
      example: {
        name: 'Staging',
        url: 'https://staging.example.com',
        key: 'eng_key_of_an_administrator',
      },
    },
    access: 'security:manage',
    body: createServerBody,
    handle: async ({ deps, actor, requestId, body }) => ({
      data: [await createServer(deps, body, { actor, requestId })],
      status: 201,
    }),
  }),
})
