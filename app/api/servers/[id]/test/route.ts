import { methods, route } from '@/lib/http/route'
import { serverParams, serverTest } from '@/lib/servers/contract'
import { testServer } from '@/lib/servers/test-server'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'testServer',
      summary: 'Test the connection to another server',
      responses: { 200: serverTest },
      fails: ['conflict', 'upstream_failed', 'upstream_timeout'],
    },
    access: 'security:manage',
    params: serverParams,
    handle: async ({ deps, params: { id } }) => ({ data: [await testServer(deps, id)] }),
  }),
})
