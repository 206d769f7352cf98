import { backgroundExport, exportParams } from '@/lib/export/contract'
import { cancelExport } from '@/lib/export/own-exports'
import { methods, route } from '@/lib/http/route'

/** Stops an export. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'cancelExport',
      summary: 'Cancel an export',
      description:
        'While it waits or is being prepared, on whichever instance; what there is of its file is removed. 409 once it is over. Its owner may.',
      responses: { 200: backgroundExport },
      fails: ['conflict'],
    },
    access: 'signed-in',
    params: exportParams,
    handle: async ({ deps, actor, requestId, params }) => ({
      data: [await cancelExport(deps, params.id, { actor, requestId })],
    }),
  }),
})
