import { z } from 'zod'
import { searchBody } from '@/lib/search/contract'
import { strictObject } from '@/lib/values/strict-object'

const EXPORT_FORMATS = ['csv', 'json', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Body of `POST /api/entities/:entityName/export`: a search object of everything that matches. */
export const exportBody = strictObject({
  entity: searchBody.shape.entity,
  query: searchBody.shape.query,
  filters: searchBody.shape.filters,
  fields: searchBody.shape.fields,
  sort: searchBody.shape.sort,
}).meta({ id: 'Engine.Export' })
export type ExportBody = z.infer<typeof exportBody>

export const exportQuery = strictObject({
  format: z.enum(EXPORT_FORMATS, 'must be csv, json or xlsx').default('csv'),
  bom: z.stringbool('must be true or false').default(false).meta({
    description: 'Begin a CSV with a byte order mark, by which Excel knows that it is UTF-8',
  }),
})
export type ExportQuery = z.infer<typeof exportQuery>
