import { methods, route } from '@/lib/http/route'
import { listLayers } from '@/lib/lifecycle/list-layers'
import { layersQuery, modelLayer } from '@/lib/lifecycle/model-contract'

/** What was changed here in the definitions of other authors' plugins. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listModelLayers',
      summary: 'List local changes of plugins',
      description:
        'Per plugin of another author, which definitions were changed or added here, field by field. The author’s next version is merged with them; `reverted` of `POST /api/model/apply` takes them back.',
      responses: { 200: modelLayer },
    },
    access: 'plugins:read',
    query: layersQuery,
    handle: async ({ deps, query }) => ({ data: await listLayers(deps, query.plugin) }),
  }),
})
