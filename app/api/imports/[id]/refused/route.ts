import { z } from 'zod'
import { download } from '@/lib/http/download'
import { methods, route } from '@/lib/http/route'
import { importParams } from '@/lib/import/contract'
import { readRefused } from '@/lib/import/own-imports'

/** The rows of an import that were not stored. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'downloadRefusedRows',
      summary: 'Download the refused rows of an import',
      description:
        'CSV with the columns of the file and `engine:reason`, which says what is wrong; correct it and import it again. 409 when there are none. Its owner may.',
      responses: {
        200: { content: { 'text/csv': z.string() }, headers: ['Content-Disposition'] },
      },
      fails: ['conflict'],
    },
    access: 'signed-in',
    params: importParams,
    load: 'heavy',
    handle: async ({ request, deps, actor, requestId, params }) => {
      const stop = new AbortController()
      request.signal.addEventListener('abort', () => stop.abort(), { once: true })
      const found = await readRefused(deps, { id: params.id, actor, requestId })
      return download(found, { stop, log: deps.log, requestId })
    },
  }),
})
