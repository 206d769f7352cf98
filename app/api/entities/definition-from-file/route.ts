import { join } from 'node:path'
import { requireFile } from '@/lib/http/require-file'
import { methods, route } from '@/lib/http/route'
import { proposalForm, proposalQuery, proposalShape } from '@/lib/import/contract'
import { proposeDefinition } from '@/lib/import/propose-definition'

/** An entity for a file that has none yet. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'proposeDefinition',
      summary: 'Propose an entity for a file',
      description:
        'Definitions of an entity and its schema that fit the first 20,000 rows of a file: names, types, lengths, what is required and a key. Nothing is stored: as a plugin the definitions are installed, then the file is imported. The beginning of a file will do, with `cut=true`.',
      responses: { 200: proposalShape },
      form: proposalForm,
    },
    access: 'plugins:install',
    query: proposalQuery,
    readOnly: true,
    load: 'heavy',
    upload: ({ settings }) => ({
      maxFileBytes: settings.MAX_IMPORT_BYTES,
      folder: join(settings.DATA_DIR, 'tmp'),
    }),
    handle: async ({ query, upload }) => {
      const parameters = Object.keys(proposalQuery.shape)
      const { path, fileName } = requireFile(upload, { parameters, fields: [] })
      return { data: [await proposeDefinition({ path, fileName, query })] }
    },
  }),
})
