import { backgroundExport } from '@/lib/export/contract'
import { listExports } from '@/lib/export/own-exports'
import { methods, route } from '@/lib/http/route'

/** The caller's exports in the background. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listExports',
      summary: "List the caller's exports",
      description: 'Those that are prepared in the background or wait as files; the newest first.',
      responses: { 200: backgroundExport },
    },
    access: 'signed-in',
    handle: async ({ deps, actor }) => ({ data: await listExports(deps, actor) }),
  }),
})
