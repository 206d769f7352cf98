import { pluginFiles } from '@/lib/testing/archive'

export const books = (records: object[] | string, manifest: object = {}) =>
  pluginFiles({
    EngineEntities: { files: { 'Book.json': { name: 'Book', auditable: true } } },
    EngineSchemas: {
      files: {
        'Book.json': {
          name: 'Book',
          properties: [
            { name: 'title', type: 'string' },
            { name: 'price', type: 'decimal' },
            { name: 'printed', type: 'datetime' },
            { name: 'code', type: 'string', unique: true },
          ],
        },
      },
    },
    Book: {
      files: { 'data.json': records },
      manifest: { target: 'Book', insertDuplicate: 'Upsert', ...manifest },
    },
  })

const FILE = 'Book/data.json'
/** The query that plans an install with the records of the file of books. */
export const ask = (query = '') =>
  `?dryRun=true&detail=records&file=${encodeURIComponent(FILE)}${query}`
