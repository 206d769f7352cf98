import { methods, route } from '@/lib/http/route'
import { importShape } from '@/lib/import/contract'
import { listImports } from '@/lib/import/own-imports'

/** The caller's imports. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listImports',
      summary: "List the caller's imports",
      description: 'Those that run and those of the last 7 days, at most 50; the newest first.',
      responses: { 200: importShape },
    },
    access: 'signed-in',
    handle: async ({ deps, actor }) => ({ data: await listImports(deps, actor) }),
  }),
})
