import { backgroundExport, exportBody, exportQuery } from '@/lib/export/contract'
import { createExport } from '@/lib/export/create-export'
import { methods, route } from '@/lib/http/route'
import { entityParams } from '@/lib/search/contract'
import { requireSameEntity } from '@/lib/search/read-input'

/** Exports that are prepared in the background. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'createRecordsExport',
      summary: 'Export in the background',
      description:
        'As `…/export`, for many records: the file is prepared on the server and waits for its owner at `/api/exports/{id}/file` for 7 days. At most 10 of one user; beyond that 409.',
      responses: { 201: backgroundExport },
      fails: ['conflict'],
      example: {},
    },
    access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
    params: entityParams,
    query: exportQuery,
    body: exportBody,
    exactNumbers: true,
    handle: async ({ deps, actor, requestId, params: { entityName }, query, body }) => {
      requireSameEntity(body.entity, entityName)
      const created = await createExport(deps, { entityName, body, ...query, actor, requestId })
      return { data: [created], status: 201 }
    },
  }),
})
