import { z } from 'zod'
import { installId } from '@/lib/installs/contract'
import { jsonObject, strictObject } from '@/lib/values/wire-types'
import { edits } from './contract'

/** The plugin of entities that are defined here, where no other is named. */
export const LOCAL_MODEL = 'local.model'

const definitions = z.array(jsonObject).max(500, 'must have at most 500 definitions').default([])

const hasDefinitions = (body: Record<'entities' | 'schemas', readonly unknown[]>) =>
  body.entities.length + body.schemas.length > 0

/** Body of `POST /api/model/plan` and `POST /api/model/apply`. */
export const modelBody = strictObject({
  plugin: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .default(LOCAL_MODEL)
    .meta({
      description:
        'Id of the plugin whose next version is made: an installed one, or a new one whose id begins with `local.`',
      examples: [LOCAL_MODEL],
    }),
  lastHistoryId: installId.optional().meta({
    description:
      'The last install of the plugin when its definitions were read: 409 where there has been another since, whose changes these would undo',
  }),
  entities: definitions.meta({
    description: 'As files of `EngineEntities` have them, in place of those of the same name',
  }),
  schemas: definitions.meta({
    description: 'As files of `EngineSchemas` have them, in place of those of the same name',
  }),
  edits: edits.default([]).meta({
    description:
      'Changes that are no part of a definition, or that others follow: fields under a new name with their values, and whether history and events are kept. As `POST /api/plugins/{id}/export` takes them; by themselves, without other changes',
  }),
  removed: z.array(z.string().min(1).max(200)).max(100).default([]).meta({
    description:
      'Names of entities of a local plugin that go to the trash, with their tables, and with schemas that no other entity uses; by themselves, without other changes',
  }),
})
  .refine((body) => hasDefinitions(body) || body.edits.length + body.removed.length > 0, {
    error: 'must have at least one definition',
    path: ['entities'],
  })
  .refine((body) => body.edits.length === 0 || !hasDefinitions(body), {
    error: 'must be made by themselves, without definitions',
    path: ['edits'],
  })
  .refine(
    (body) => body.removed.length === 0 || (!hasDefinitions(body) && body.edits.length === 0),
    { error: 'must be removed by themselves, without other definitions', path: ['removed'] },
  )
  .meta({ id: 'Engine.Model' })
export type ModelBody = z.infer<typeof modelBody>

/** Query of `POST /api/model/apply`. */
export const applyQuery = strictObject({
  seal: z.string().min(1).max(8_000).optional().meta({
    description: 'Of a plan: applies only while it holds, otherwise 409 says what has changed',
  }),
})

const owner = z.string().nullable()

/** An entity as files of plugins have it. */
export const writtenDefinition = z
  .object({
    plugin: owner.meta({ description: 'Of the entity; null: of none' }),
    entity: jsonObject.meta({ description: 'As a file of `EngineEntities`' }),
    schemaPlugin: owner.meta({ description: 'Whose schema it is' }),
    lastHistoryId: installId.nullable().meta({
      description: 'The last install of that plugin; without a schema, of the plugin of the entity',
    }),
    schema: jsonObject
      .nullable()
      .meta({ description: 'As a file of `EngineSchemas`; null: records may have any fields' }),
  })
  .meta({ id: 'Engine.Definition' })
export type WrittenDefinition = z.infer<typeof writtenDefinition>
