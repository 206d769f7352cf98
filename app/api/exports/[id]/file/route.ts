import { z } from 'zod'
import { exportParams } from '@/lib/export/contract'
import { readExportFile } from '@/lib/export/own-exports'
import { download } from '@/lib/http/download'
import { methods, route } from '@/lib/http/route'
import { recordFields } from '@/lib/records/contract'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const file = z.string()

/** The file of an export that is ready. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'downloadExport',
      summary: 'Download an export',
      description:
        'Its owner may, with the rights of this moment: 403 for a file of what the caller may no longer read. 409 while there is no file.',
      responses: {
        200: {
          content: { 'text/csv': file, 'application/json': z.array(recordFields), [XLSX]: file },
          headers: ['Content-Disposition'],
        },
      },
      fails: ['conflict'],
    },
    access: 'signed-in',
    params: exportParams,
    load: 'heavy',
    handle: async ({ request, deps, actor, requestId, params }) => {
      const stop = new AbortController()
      request.signal.addEventListener('abort', () => stop.abort(), { once: true })
      const found = await readExportFile(deps, { id: params.id, actor, requestId })
      return download(found, { stop, log: deps.log, requestId })
    },
  }),
})
