import { z } from 'zod'
import { strictObject } from '@/lib/values/strict-object'
import { count, instant } from '@/lib/values/wire-types'

/** Query of `DELETE /api/plugins/:id`. */
export const uninstallQuery = strictObject({
  dryRun: z
    .stringbool('must be true or false')
    .default(false)
    .meta({ description: 'Only report what uninstalling would do' }),
  records: z.enum(['trash', 'keep'], 'must be trash or keep').default('trash').meta({
    description:
      '`trash`: entities go with their tables, and can be restored; `keep`: they stay, without an owner',
  }),
  with: z
    .string()
    .transform((text) => [...new Set(text.split(',').map((id) => id.trim()))].filter(Boolean))
    .optional()
    .meta({ description: 'Ids of further plugins that go too, separated by commas' }),
})
export type UninstallQuery = z.infer<typeof uninstallQuery>

const ownerId = z.string().nullable()

/** What needs an entity or a schema that would go. */
const dependent = z.object({
  entity: z.string(),
  pluginId: ownerId,
  field: z.string().nullable().meta({ description: 'The reference; null: it uses the schema' }),
  target: z.string().meta({ description: 'The entity or the schema that would go' }),
})

/** What uninstalling does, or would do. */
export const uninstallReport = z
  .object({
    plugins: z.array(
      z.object({ id: z.string(), name: z.string(), version: z.string().nullable() }),
    ),
    records: z.enum(['trash', 'keep']),
    entities: z.array(
      z.object({
        name: z.string(),
        pluginId: ownerId,
        records: count.nullable().meta({ description: 'Null without the right to read them' }),
        isEstimate: z.boolean(),
        edited: count.nullable().meta({
          description:
            'Of a dry run: records that were added or edited here since a plugin gave them; null without the right to read them',
        }),
      }),
    ),
    schemas: z.array(z.string()),
    types: z.array(z.string()),
    roles: z.array(z.string()),
    policies: z.array(z.object({ name: z.string(), allow: z.boolean() })),
    blockedBy: z.array(dependent).meta({ description: 'For which it would fail with 409' }),
    mentions: z
      .object({
        policies: z.array(z.object({ name: z.string(), pluginId: ownerId })),
        apiKeys: z.array(
          z.object({ id: z.string(), name: z.string(), scopes: z.array(z.string()) }),
        ),
        views: z.array(z.object({ id: z.string(), name: z.string(), entity: z.string() })),
      })
      .meta({ description: 'What names the entities and stays as it is' }),
    history: z.int().nullable().meta({ description: 'Number of the entry in the history' }),
    batchId: z.string().nullable().meta({ description: 'By which it can be restored' }),
    expiresAt: instant.nullable().meta({ description: 'Until when' }),
  })
  .meta({ id: 'Engine.Uninstall' })
export type UninstallReport = z.infer<typeof uninstallReport>
