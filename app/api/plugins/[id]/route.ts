import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { plugin, pluginParams } from '@/lib/plugins/contract'
import { getPlugin } from '@/lib/plugins/store'

/** One installed plugin: its manifest and its entities. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readPlugin',
      summary: 'Read an installed plugin',
      responses: { 200: listOf(plugin) },
    },
    access: 'plugins:read',
    params: pluginParams,
    handle: async ({ deps, params }) => ({ data: [await getPlugin(deps.db, params.id)] }),
  }),
})
