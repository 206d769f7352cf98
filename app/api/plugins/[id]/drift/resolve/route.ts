import { methods, route } from '@/lib/http/route'
import { pluginParams } from '@/lib/installs/contract'
import { resolveDriftBody, resolvedDrift } from '@/lib/lifecycle/contract'
import { resolveDrift } from '@/lib/lifecycle/resolve-drift'
import { anyEffects } from '@/lib/records/delete-linked'

/** Ends differences between chosen records and what a plugin gave. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'resolvePluginDrift',
      summary: 'Make records the plugin’s, or take back what it gave',
      description:
        'For the chosen records of one entity that differ; others are skipped. `revert` needs the rights to the records that the same change by hand would need.',
      responses: { 200: resolvedDrift },
      fails: ['forbidden', 'conflict'],
    },
    access: 'plugins:install',
    params: pluginParams,
    body: resolveDriftBody,
    handle: async ({ deps, params, body, actor, requestId }) => {
      const done = await resolveDrift(deps, { ...body, id: params.id, actor, requestId })
      return { data: [{ resolved: done.resolved, ...anyEffects(done) }] }
    },
  }),
})
