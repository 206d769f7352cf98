import { z } from 'zod'
import { installId } from '@/lib/installs/contract'
import { isObject, type JsonObject } from '@/lib/values/json'
import { instant, jsonObject, jsonValue, strictObject } from '@/lib/values/wire-types'
import { edits } from './contract'

/** The plugin of entities that are defined here, where no other is named. */
export const LOCAL_MODEL = 'local.model'

const definition = z
  .custom<JsonObject>(isObject, 'must be a definition, which is an object')
  .meta({ type: 'object' })
const definitions = z.array(definition).max(500, 'must have at most 500 definitions').default([])

const DEFINITION_LISTS = ['entities', 'schemas', 'types', 'roles', 'policies'] as const
type Lists = Record<(typeof DEFINITION_LISTS)[number], readonly unknown[]>
const hasDefinitions = (body: Lists) => DEFINITION_LISTS.some((list) => body[list].length > 0)

const kind = z.enum(['type', 'schema', 'entity', 'role', 'policy', 'webhook'])
/** A definition of a plugin. */
const definitionName = z.strictObject({ kind, name: z.string().min(1).max(200) })
const entityName = z.string().min(1).max(200)
const removable = z.strictObject({ kind: kind.exclude(['webhook']), name: entityName })

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
  types: definitions.meta({
    description: 'As files of `EngineTypes` have them, in place of those of the same name',
  }),
  roles: definitions.meta({
    description: 'As files of `EngineRoles` have them, in place of those of the same name',
  }),
  policies: definitions.meta({
    description: 'As files of `EnginePolicies` have them, in place of those of the same name',
  }),
  edits: edits.default([]).meta({
    description:
      'Changes that are no part of a definition, or that others follow: fields under a new name with their values, and whether history and events are kept. As `POST /api/plugins/{id}/export` takes them; by themselves, without other changes',
  }),
  reverted: z.array(definitionName).max(1_000).default([]).meta({
    description:
      'Definitions of another author’s plugin that become again as that one gave them, of those that `GET /api/model/layers` lists; records keep their values. Those that were added here are removed: entities go to the trash with their tables. By themselves, without other changes',
  }),
  removed: z
    .array(z.union([entityName, removable]))
    .max(100)
    .default([])
    .meta({
      description:
        'Definitions of a local plugin that are removed; a text is the name of an entity. Entities go to the trash with their tables, with schemas that no other entity uses, and with what is removed together with them; without entities, what is removed is a change of the next version. By themselves, without other changes',
    }),
})
  .superRefine((body, { addIssue }) => {
    const parts = (['edits', 'reverted', 'removed'] as const).filter(
      (part) => body[part].length > 0,
    )
    const isAlone = parts.length + Number(hasDefinitions(body)) < 2
    if (parts.length === 0 && !hasDefinitions(body))
      addIssue({ code: 'custom', path: ['entities'], message: 'must have at least one definition' })
    const [, second = parts[0]] = parts
    if (second && !isAlone)
      addIssue({
        code: 'custom',
        path: [second],
        message: 'must be by themselves, without other changes',
      })
  })
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

/** Query of `GET /api/model/definitions`. */
export const definitionsQuery = strictObject({
  kind: z.enum(['type', 'role', 'policy']),
  name: z.string().min(1).max(200).optional().meta({ description: 'Only this one' }),
})
export type DefinitionsQuery = z.infer<typeof definitionsQuery>

/** A type, a role or a policy as files of plugins have it. */
export const pluginDefinition = z
  .object({
    kind: definitionsQuery.shape.kind,
    name: z.string(),
    plugin: owner.meta({ description: 'Null: it was made here by itself' }),
    lastHistoryId: installId.nullable().meta({ description: 'The last install of the plugin' }),
    definition: jsonObject,
  })
  .meta({ id: 'Engine.PluginDefinition' })
export type PluginDefinition = z.infer<typeof pluginDefinition>

/** Query of `GET /api/model/layers`. */
export const layersQuery = strictObject({
  plugin: z.string().min(1).max(200).optional().meta({ description: 'Only of this plugin' }),
})

const changedField = z.object({
  field: z.string().meta({ description: 'Such as `price.maxLength`, or `indexes.["code"]`' }),
  base: jsonValue.meta({ description: 'As the author gave it; null: it was added here' }),
  ours: jsonValue.meta({ description: 'As it is; null: it was removed here' }),
})

/** What was changed here in the definitions of another author's plugin. */
export const modelLayer = z
  .object({
    plugin: z.string(),
    name: z.string(),
    baseVersion: z.string().nullable().meta({ description: 'Of the author' }),
    version: z.string().nullable(),
    lastHistoryId: installId.nullable(),
    changes: z.array(
      z.object({
        kind,
        name: z.string(),
        change: z.enum(['added', 'changed']),
        fields: z
          .array(changedField)
          .meta({ description: 'That differ from what the author gave; of an added one none' }),
      }),
    ),
    installs: z
      .array(
        z.object({ id: installId, version: z.string(), at: instant, by: z.string().nullable() }),
      )
      .meta({ description: 'That made the changes since the author’s version, the last 100' }),
  })
  .meta({ id: 'Engine.ModelLayer' })
export type ModelLayer = z.infer<typeof modelLayer>

export const layerParams = z.strictObject({ plugin: z.string().min(1).max(200) })
