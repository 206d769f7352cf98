import { z } from 'zod'
import { exportBody, exportQuery } from '@/lib/export/contract'
import { exportRecords } from '@/lib/export/export-records'
import { download } from '@/lib/http/download'
import { methods, route } from '@/lib/http/route'
import { recordFields } from '@/lib/records/contract'
import { entityParams } from '@/lib/search/contract'
import { requireSameEntity } from '@/lib/search/read-input'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const file = z.string()

/** All matches of a search, as a file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'exportRecords',
      summary: 'Export all matching records',
      description:
        'A stream in the order of the search. CSV: cells that a spreadsheet would take for formulas are neutralised. XLSX: 422 for a text that is longer than a cell, which holds 32,767 characters.',
      responses: {
        200: {
          content: { 'text/csv': file, 'application/json': z.array(recordFields), [XLSX]: file },
          headers: ['Content-Disposition', 'X-Engine-Changes-Cursor'],
        },
      },
      fails: ['unprocessable', 'method_not_allowed'],
      headers: ['X-Engine-Consistency', 'X-Engine-View-As'],
      example: {},
    },
    access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
    params: entityParams,
    query: exportQuery,
    body: exportBody,
    exactNumbers: true,
    readOnly: true,
    load: 'heavy',
    handle: async ({ request, deps, actor, requestId, params: { entityName }, query, body }) => {
      requireSameEntity(body.entity, entityName)
      const stop = new AbortController()
      request.signal.addEventListener('abort', () => stop.abort(), { once: true })
      const input = { entityName, body, ...query, reader: actor, signal: stop.signal }
      const file = await exportRecords(deps, input)
      return download(file, { stop, log: deps.log, requestId })
    },
  }),
})
