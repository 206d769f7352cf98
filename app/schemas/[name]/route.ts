import { z } from 'zod'
import { FILE_SCHEMA_NAMES, fileSchema } from '@/lib/archives/file-schema'
import { AppError } from '@/lib/errors'
import { methods, route } from '@/lib/http/route'
import { publicText } from '@/lib/http/tagged-text'
import { nothing, raw } from '@/lib/openapi/responses'

/** JSON Schemas of the files of plugins, for editors. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readFileSchema',
      summary: 'Read the JSON Schema of a kind of plugin file',
      responses: {
        200: raw('application/schema+json', { headers: ['ETag'] }),
        304: nothing('It has not changed', ['ETag']),
      },
      headers: ['If-None-Match'],
    },
    access: 'public',
    params: z.strictObject({ name: z.string() }),
    handle: async ({ request, params }) => {
      const name = FILE_SCHEMA_NAMES.find((known) => `${known}.json` === params.name)
      if (!name) throw new AppError('not_found', UNKNOWN)
      const text = JSON.stringify(fileSchema(name), null, 2)
      return publicText(request, text, 'application/schema+json; charset=utf-8')
    },
  }),
})

const UNKNOWN = `There is no such schema; there are ${FILE_SCHEMA_NAMES.map((name) => `${name}.json`).join(', ')}`
