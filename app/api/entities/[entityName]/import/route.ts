import { join } from 'node:path'
import type { ImportRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import { keepFile } from '@/lib/http/keep-file'
import { prefersAsync } from '@/lib/http/prefers-async'
import { requireFile } from '@/lib/http/require-file'
import { methods, route } from '@/lib/http/route'
import { importForm, importQuery, importShape } from '@/lib/import/contract'
import { readMapping } from '@/lib/import/open-import'
import { toImport } from '@/lib/import/own-imports'
import { startImport } from '@/lib/import/start-import'
import { listOf } from '@/lib/openapi/responses'
import { refuseSystemEntity } from '@/lib/registry/may-read'
import { entityParams } from '@/lib/search/contract'

const PARAMETERS = Object.keys(importQuery.shape)

/** Imports a file into an entity, or with `dryRun=true` says what would become of it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'importRecords',
      summary: 'Import a file',
      description:
        'CSV, XLSX, JSON or JSON Lines, streamed. All rows are stored or none, unless `partial=true`: then the good ones are, in one transaction. 422 when rows are refused and nothing is stored; `meta.import` is the import. `Prefer: respond-async` responds immediately. `update` needs the right to update, `upsert` both.',
      responses: {
        200: importShape,
        202: listOf(importShape, {
          description: 'The import continues in the background',
          headers: ['Location', 'Preference-Applied'],
        }),
      },
      fails: ['conflict', 'unprocessable', 'method_not_allowed'],
      headers: ['Prefer'],
      form: importForm,
    },
    access: ({ entityName }, search) => {
      refuseSystemEntity(entityName, 'OPTIONS')
      return { entity: entityName, action: search().get('mode') === 'update' ? 'update' : 'write' }
    },
    params: entityParams,
    query: importQuery,
    load: 'heavy',
    upload: ({ settings }) => ({
      maxFileBytes: settings.MAX_IMPORT_BYTES,
      folder: join(settings.DATA_DIR, 'tmp'),
    }),
    handle: async ({ deps, actor, requestId, request, params: { entityName }, query, upload }) => {
      const file = requireFile(upload, { parameters: PARAMETERS, fields: ['mapping'] })
      const mapping = readMapping(upload?.fields.mapping)
      const path = await keepFile(file)
      const { fileName, bytes } = file
      const started = await startImport(deps, {
        ...{ entityName, path, fileName, bytes, mapping, query, actor, requestId },
      })
      if (!prefersAsync(request)) return { data: [toImport(resultOf(await started.done))] }
      started.done.catch(() => {}) // its result is in the list of imports and the log
      return {
        data: [toImport(started.row)],
        status: 202,
        headers: {
          'Preference-Applied': 'respond-async',
          Location: `/api/imports/${started.row.id}`,
        },
      }
    },
  }),
})

/** Throws for an import that did not do what it was asked. */
function resultOf(row: ImportRow | null): ImportRow {
  if (!row) throw new AppError('conflict', 'The import was deleted; nothing is stored')
  if (row.status === 'DONE') return row
  const meta = { import: toImport(row) }
  if (row.status === 'CANCELLED')
    throw new AppError('conflict', 'The import was cancelled; nothing is stored', { meta })
  throw new AppError('unprocessable', row.error ?? 'The import failed; nothing is stored', { meta })
}
