import { JsonText } from '@/lib/http/envelope'
import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { pluginParams } from '@/lib/installs/contract'
import { drift, driftQuery } from '@/lib/lifecycle/contract'
import { listDrift } from '@/lib/lifecycle/list-drift'
import { listOf } from '@/lib/openapi/responses'
import { type Json, stringifyExactly } from '@/lib/values/json'

/** The records of a plugin that were added, edited or deleted here since it gave them. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listPluginDrift',
      summary: 'List the records that differ from what a plugin gave',
      description:
        'Of the entities that its data files write and that the caller may read, by entity and key.',
      responses: { 200: listOf(drift, { paged: true }) },
      fails: ['forbidden'],
    },
    access: 'plugins:read',
    params: pluginParams,
    query: driftQuery,
    handle: async ({ deps, params, query, actor }) => {
      const { data, total } = await listDrift(deps, { ...query, id: params.id, actor })
      // Numbers keep all their digits.
      const text = stringifyExactly(data as unknown as Json)
      return { data: new JsonText(text), pagination: paginate(query, total) }
    },
  }),
})
