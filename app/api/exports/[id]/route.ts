import { z } from 'zod'
import { backgroundExport, exportParams } from '@/lib/export/contract'
import { deleteExport, getExport } from '@/lib/export/own-exports'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readExport',
      summary: 'Read an export',
      description: 'Its owner may.',
      responses: { 200: backgroundExport },
    },
    access: 'signed-in',
    params: exportParams,
    handle: async ({ deps, actor, params }) => ({
      data: [await getExport(deps, actor, params.id)],
    }),
  }),
  DELETE: route({
    doc: {
      id: 'deleteExport',
      summary: 'Delete an export',
      description: 'With its file, also while it is being prepared. Its owner may.',
      responses: { 200: listOf(z.never()) },
    },
    access: 'signed-in',
    params: exportParams,
    handle: async ({ deps, actor, requestId, params }) => {
      await deleteExport(deps, params.id, { actor, requestId })
      return { data: [] }
    },
  }),
})
