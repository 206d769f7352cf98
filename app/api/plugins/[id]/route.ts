import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { plugin, pluginParams } from '@/lib/installs/contract'
import { getPlugin } from '@/lib/installs/store'
import { uninstallQuery, uninstallReport } from '@/lib/lifecycle/contract'
import { uninstallPlugin } from '@/lib/lifecycle/uninstall-plugin'
import { listOf } from '@/lib/openapi/responses'

const uninstallMeta = z.object({ dryRun: z.literal(true).optional() })

/** One installed plugin: its manifest and its entities; uninstalling it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readPlugin',
      summary: 'Read an installed plugin',
      responses: { 200: plugin },
    },
    access: 'plugins:read',
    params: pluginParams,
    handle: async ({ deps, params }) => ({ data: [await getPlugin(deps.db, params.id)] }),
  }),
  DELETE: route({
    doc: {
      id: 'uninstallPlugin',
      summary: 'Uninstall a plugin',
      description:
        'What it defined goes to the trash, with its tables, and can be restored from there as a whole. With `records=keep` its entities stay, without an owner. Refused while entities of others need what would go. One transaction.',
      responses: { 200: listOf(uninstallReport, { meta: uninstallMeta }) },
      fails: ['conflict'],
    },
    access: 'plugins:install',
    params: pluginParams,
    query: uninstallQuery,
    load: 'heavy',
    handle: async ({ deps, actor, requestId, params, query }) => {
      const input = { pluginId: params.id, ...query, actor, requestId }
      const data = [await uninstallPlugin(deps, input)]
      return { data, meta: query.dryRun ? { dryRun: true } : {} }
    },
  }),
})
