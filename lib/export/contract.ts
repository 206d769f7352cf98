import { z } from 'zod'
import { searchBody } from '@/lib/search/contract'
import { count, instant, strictObject } from '@/lib/values/wire-types'

const EXPORT_FORMATS = ['csv', 'json', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Body of `POST /api/entities/:entityName/export`: a search object of everything that matches. */
export const exportBody = strictObject({
  entity: searchBody.shape.entity,
  query: searchBody.shape.query,
  filters: searchBody.shape.filters,
  fields: searchBody.shape.fields,
  sort: searchBody.shape.sort,
  labels: z.record(z.string().max(255), z.string().max(255)).optional().meta({
    description: 'What the columns of CSV and XLSX are called, by the names of their fields',
  }),
}).meta({ id: 'Engine.Export' })
export type ExportBody = z.infer<typeof exportBody>

export const exportQuery = strictObject({
  format: z.enum(EXPORT_FORMATS, 'must be csv, json or xlsx').default('csv'),
  bom: z.stringbool('must be true or false').default(false).meta({
    description: 'Begin a CSV with a byte order mark, by which Excel knows that it is UTF-8',
  }),
})
export type ExportQuery = z.infer<typeof exportQuery>

export const exportParams = z.strictObject({ id: z.uuid('is not the id of an export') })

/** An export that is prepared in the background, or waits as a file. */
export const backgroundExport = z
  .object({
    id: z.uuid(),
    entity: z.string(),
    format: z.enum(EXPORT_FORMATS),
    fileName: z.string(),
    status: z.enum(['WAITING', 'RUNNING', 'READY', 'FAILED', 'CANCELLED']),
    error: z.string().nullable().meta({ description: 'Why it failed' }),
    doneRows: count.meta({ description: 'Records so far' }),
    totalRows: count.nullable().meta({ description: 'Null while it is not known' }),
    bytes: count,
    createdBy: z.string().meta({ description: 'Email, or name of the API key' }),
    createdAt: instant,
    completedAt: instant.nullable(),
    expiresAt: instant.meta({ description: 'When it is deleted' }),
  })
  .meta({ id: 'Engine.BackgroundExport' })
export type BackgroundExport = z.infer<typeof backgroundExport>
