import { methods, route } from '@/lib/http/route'
import { serverDescription } from '@/lib/servers/contract'
import { describeServer } from '@/lib/servers/describe-server'
import { version } from '@/package.json'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readServer',
      summary: 'Read what this server is',
      description: 'For other servers, which compare themselves with it.',
      responses: { 200: serverDescription },
    },
    access: 'system:read',
    handle: async ({ deps }) => ({ data: [describeServer(deps, version)] }),
  }),
})
