import { methods, route } from '@/lib/http/route'
import { promotion } from '@/lib/servers/contract'
import { listPromotions } from '@/lib/servers/promotions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listPromotions',
      summary: 'List the promotions',
      description: 'The newest first; the last 100 are kept.',
      responses: { 200: promotion },
    },
    access: 'security:manage',
    handle: async ({ deps }) => ({ data: await listPromotions(deps.db) }),
  }),
})
