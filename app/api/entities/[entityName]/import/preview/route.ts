import { join } from 'node:path'
import { requireFile } from '@/lib/http/require-file'
import { methods, route } from '@/lib/http/route'
import { importForm, previewQuery, previewShape } from '@/lib/import/contract'
import { readMapping } from '@/lib/import/open-import'
import { previewImport } from '@/lib/import/preview-import'
import { refuseSystemEntity } from '@/lib/registry/may-read'
import { entityParams } from '@/lib/search/contract'

/** What the columns of a file would become in an entity. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'previewRecordsImport',
      summary: 'Preview an import',
      description:
        'What each column of a file would become, with sample values, and what is wrong with the types of the first 100 rows. The beginning of a file will do, with `cut=true`. It stores nothing. Without `mode` it says which one fits, by which of these rows are stored; conflicts with stored records are left to a dry run of the import.',
      responses: { 200: previewShape },
      fails: ['method_not_allowed'],
      form: importForm,
    },
    access: ({ entityName }, search) => {
      refuseSystemEntity(entityName, 'OPTIONS')
      return { entity: entityName, action: search().get('mode') === 'update' ? 'update' : 'write' }
    },
    params: entityParams,
    query: previewQuery,
    readOnly: true,
    load: 'heavy',
    upload: ({ settings }) => ({
      maxFileBytes: settings.MAX_IMPORT_BYTES,
      folder: join(settings.DATA_DIR, 'tmp'),
    }),
    handle: async ({ deps, actor, params: { entityName }, query, upload }) => {
      const parameters = Object.keys(previewQuery.shape)
      const { path, fileName } = requireFile(upload, { parameters, fields: ['mapping'] })
      const mapping = readMapping(upload?.fields.mapping)
      const request = { entityName, path, fileName, mapping, query, actor }
      return { data: [await previewImport(deps, request)] }
    },
  }),
})
