import { z } from 'zod'
import { searchBody } from '@/lib/search/contract'
import { strictObject } from '@/lib/values/strict-object'

/** Query of `GET /api/plugins/:id/export`. */
export const exportQuery = z.strictObject({
  records: z.enum(['all', 'changed', 'none'], 'must be all, changed or none').default('all').meta({
    description:
      'Which records of its entities the archive contains; `changed`: those that were added or edited since the plugin gave them',
  }),
})
export type ExportQuery = z.infer<typeof exportQuery>

/** Body of `POST /api/plugins/export`; `parsePluginManifest` checks the labels. */
export const exportBody = strictObject({
  id: z
    .string()
    .min(1)
    .max(200)
    .meta({ examples: ['com.example.shop'] }),
  name: z.string().max(200).optional(),
  version: z.string().max(100).optional(),
  description: z.string().max(10_000).optional(),
  author: z.string().max(500).optional(),
  entities: z
    .array(
      strictObject({
        name: z.string().min(1).max(200),
        query: searchBody.shape.query.meta({
          description: 'Conditions of a search; without them all records are exported',
        }),
      }),
    )
    .min(1, 'must name at least one entity')
    .max(1_000),
  roles: z.array(z.string()).max(1_000).default([]),
  policies: z.array(z.string()).max(1_000).default([]),
}).meta({ id: 'Engine.PluginExport' })
export type ExportBody = z.infer<typeof exportBody>
