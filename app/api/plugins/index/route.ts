import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { pageOf } from '@/lib/openapi/responses'
import { availablePlugin, indexMeta, indexQuery } from '@/lib/plugin-index/contract'
import { listAvailable } from '@/lib/plugin-index/list-available'

/** The plugins of the index at `PLUGIN_INDEX_URL`, beside what is installed. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listAvailablePlugins',
      summary: 'List the plugins of the index',
      description:
        'The index at `PLUGIN_INDEX_URL` is kept for five minutes; where it cannot be loaded, that of before is listed, and `meta.failure` says why. 404 without the setting.',
      responses: { 200: pageOf(availablePlugin, { meta: indexMeta }) },
      fails: ['not_found', 'upstream_failed', 'upstream_timeout', 'unavailable'],
    },
    // Those who see what is installed may know that there is a newer version.
    access: 'plugins:read',
    query: indexQuery,
    handle: async ({ deps, query }) => {
      const { plugins, total, meta } = await listAvailable(deps, query)
      return { data: plugins, meta, pagination: paginate(query, total) }
    },
  }),
})
