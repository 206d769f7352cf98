import { z } from 'zod'
import { effect } from '@/lib/records/contract'
import { searchBody } from '@/lib/search/contract'
import { isStorableText } from '@/lib/values/storable'
import { count, instant, jsonValue, strictObject } from '@/lib/values/wire-types'

const change = z.enum(['added', 'edited', 'deleted'])

/** Query of `GET /api/plugins/:id/drift`. */
export const driftQuery = z.strictObject({
  entity: z.string().min(1).max(200).optional().meta({ description: 'Only of this entity' }),
  change: change.optional().meta({ description: 'Only changes of this kind' }),
  page: z.coerce.number().int().min(0).default(0),
  size: z.coerce.number().int().min(1).max(1000).default(100),
})
export type DriftQuery = z.infer<typeof driftQuery>

/** A record that is not as the plugin last gave it. */
export const drift = z
  .object({
    entity: z.string(),
    key: z.string().meta({ description: 'The `persistenceId`' }),
    change: change.meta({
      description: '`added`: the plugin did not give it; `edited`, `deleted`: here, since it did',
    }),
    fields: z.array(z.object({ field: z.string(), base: jsonValue, ours: jsonValue })).meta({
      description: 'Of an edited record. `base`: as the plugin gave it; `ours`: as it is',
    }),
  })
  .meta({ id: 'Engine.PluginDrift' })
export type Drift = z.infer<typeof drift>

/** Body of `POST /api/plugins/:id/drift/resolve`. */
export const resolveDriftBody = z.strictObject({
  entity: z.string().min(1).max(200),
  keys: z
    .array(
      z
        .string()
        .min(1)
        .max(2_000)
        .refine(isStorableText, 'Holds text that the database cannot store'),
    )
    .min(1)
    .max(1_000)
    .meta({ description: 'The `persistenceId` of each record' }),
  action: z.enum(['adopt', 'revert']).meta({
    description:
      '`adopt`: what is here counts as given by the plugin; `revert`: the records become as the plugin gave them, and added ones go to the trash',
  }),
})
export type ResolveDrift = z.infer<typeof resolveDriftBody>

export const resolvedDrift = z.object({
  resolved: z.int().min(0).meta({ description: 'The number of records that differed' }),
  effects: z.array(effect).optional().meta({
    description: 'On records that refer to those that went to the trash, by `onDelete`',
  }),
})

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
    webhooks: z.array(z.string()).meta({
      description: 'Which send nothing more; their addresses and secrets are forgotten',
    }),
    blockedBy: z.array(dependent).meta({ description: 'For which it would fail with 409' }),
    mentions: z
      .object({
        policies: z.array(z.object({ name: z.string(), pluginId: ownerId })),
        apiKeys: z.array(
          z.object({ id: z.string(), name: z.string(), scopes: z.array(z.string()) }),
        ),
        views: z.array(z.object({ id: z.string(), name: z.string(), entity: z.string() })),
        hidden: z
          .object({ policies: count, apiKeys: count, views: count })
          .meta({ description: 'The numbers of those that you may not read' }),
      })
      .meta({ description: 'What names the entities and stays as it is' }),
    history: z.int().nullable().meta({ description: 'Number of the entry in the history' }),
    batchId: z.string().nullable().meta({ description: 'By which it can be restored' }),
    expiresAt: instant.nullable().meta({ description: 'Until when' }),
  })
  .meta({ id: 'Engine.Uninstall' })
export type UninstallReport = z.infer<typeof uninstallReport>

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

const named = z.string().min(1).max(200)

const renameField = strictObject({
  type: z.literal('rename-field'),
  entity: named,
  field: named,
  to: named.meta({ description: 'The new name' }),
  label: z.string().trim().max(200).optional().meta({
    description: 'Its label from then on; without it, the label stays',
  }),
})

const keepHistory = strictObject({
  type: z.literal('keep-history'),
  entity: named,
  enabled: z.boolean().meta({ description: 'Whether every version of its records is kept' }),
})

const keepEvents = strictObject({
  type: z.literal('keep-events'),
  entity: named,
  enabled: z.boolean().meta({ description: 'Whether changes of its records can be followed' }),
})

export const edits = z
  .array(
    z.discriminatedUnion('type', [renameField, keepHistory, keepEvents], {
      error: 'must be rename-field, keep-history or keep-events',
    }),
  )
  .max(100)

/** Body of `POST /api/plugins/:id/export`. */
export const editBody = strictObject({
  edits: edits.min(1, 'must have at least one edit'),
}).meta({ id: 'Engine.PluginEdits' })
export type EditBody = z.infer<typeof editBody>
export type FieldRename = z.infer<typeof renameField>
export type LogSwitch = z.infer<typeof keepHistory> | z.infer<typeof keepEvents>

/** Body of `PUT /api/entities/:entityName/events`. */
export const eventsBody = strictObject({ enabled: keepEvents.shape.enabled }).meta({
  id: 'Engine.NewEvents',
})

export const eventsQuery = strictObject({
  dryRun: z
    .stringbool('must be true or false')
    .default(false)
    .meta({ description: 'Only report what it would do' }),
})

/** Whether the changes of an entity can be followed, and what turning that on or off did. */
export const eventsChange = z
  .object({
    entity: z.string(),
    enabled: z.boolean(),
    dryRun: z.boolean(),
    pluginId: z.string().meta({ description: 'Of whose definitions it is one' }),
    history: z.int().nullable().meta({
      description:
        'Number of the entry in the history, by which it can be rolled back; null: it was so already, or a dry run',
    }),
    steps: z.array(z.string()).meta({ description: 'What is done, or would be, in words' }),
  })
  .meta({ id: 'Engine.EventsChange' })
export type EventsChange = z.infer<typeof eventsChange>
