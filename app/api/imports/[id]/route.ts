import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { importParams, importShape } from '@/lib/import/contract'
import { deleteImport, getImport } from '@/lib/import/own-imports'
import { listOf } from '@/lib/openapi/responses'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readImport',
      summary: 'Read an import',
      description: 'How far it is, or how it ended. Its owner may.',
      responses: { 200: importShape },
    },
    access: 'signed-in',
    params: importParams,
    handle: async ({ deps, actor, params }) => ({
      data: [await getImport(deps, actor, params.id)],
    }),
  }),
  DELETE: route({
    doc: {
      id: 'deleteImport',
      summary: 'Delete an import from the list',
      description:
        'With its refused rows; the records stay. One that runs is stopped, and stores nothing. Its owner may.',
      responses: { 200: listOf(z.never()) },
    },
    access: 'signed-in',
    params: importParams,
    handle: async ({ deps, actor, requestId, params }) => {
      await deleteImport(deps, params.id, { actor, requestId })
      return { data: [] }
    },
  }),
})
