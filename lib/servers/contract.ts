import { z } from 'zod'
import { PROMOTION_STATUSES } from '@/lib/db/schema/promotion-states'
import { count, instant, nameText, strictObject } from '@/lib/values/wire-types'
import { wordsFor } from '@/lib/values/words-for'

const name = nameText(
  { missing: 'The server needs a name', max: 100, tooLong: 'A name has at most 100 characters' },
  { error: wordsFor('The name is missing', 'The name must be a text') },
)
const url = z
  .string({ error: wordsFor('The address is missing', 'The address must be a text') })
  .min(1, 'The address is missing')
  .max(1_000, 'An address has at most 1000 characters')
  .regex(/^[^?#\s]*$/, 'Must have no query, fragment or blanks: https://engine.example.com')
  .meta({
    description:
      'Where the other engine is: https, on the public internet, or a host of `OUTGOING_ALLOWED_HOSTS`',
  })
const key = z
  .string({ error: wordsFor('The API key is missing', 'The API key must be a text') })
  .regex(/^[\x21-\x7e]{1,200}$/, 'Is no API key')
  .meta({ description: 'Of an administrator there. It is stored encrypted, and never returned' })

/** Body of `POST /api/servers`. */
export const createServerBody = strictObject({ name, url, key })
export type CreateServer = z.infer<typeof createServerBody>

/** Body of `PATCH /api/servers/:id`. */
export const updateServerBody = strictObject({
  name: name.optional(),
  url: url.optional(),
  key: key.optional(),
})
export type UpdateServer = z.infer<typeof updateServerBody>

export const serverParams = strictObject({ id: z.uuid('is not the id of a server') })
export const promotionParams = strictObject({ id: z.uuid('is not the id of a promotion') })

/** Another engine. */
export const otherServer = z
  .object({
    id: z.uuid(),
    name: z.string(),
    url: z.string(),
    createdBy: z.string(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Engine.OtherServer' })
export type OtherServer = z.infer<typeof otherServer>

/** What a server says of itself to another one. */
export const serverDescription = z
  .object({
    version: z.string().meta({ description: 'Of the engine' }),
    snapshot: z.int().meta({ description: 'Format of the files in which its state is compared' }),
    address: z.string(),
    renumbers: z.boolean().meta({
      description:
        'Whether it gives records of another server numbers of its own, where its records have theirs',
    }),
    environment: z
      .array(
        z.object({
          variable: z.string(),
          label: z.string(),
          state: z.string(),
          value: z.string(),
        }),
      )
      .meta({ description: 'What is configured by environment variables; never a secret' }),
    settings: z.record(z.string(), z.array(z.string())).meta({
      description: 'The fields that it knows of what is made beside plugins, by kind',
    }),
  })
  .meta({ id: 'Engine.ServerDescription' })
export type ServerDescription = z.infer<typeof serverDescription>

/** How the other server responded. */
export const serverTest = z
  .object({
    version: z.string().nullable().meta({ description: 'Null: older than such tests' }),
    address: z.string().nullable(),
    entities: z.array(z.string()),
  })
  .meta({ id: 'Engine.ServerTest' })
export type ServerTest = z.infer<typeof serverTest>

const MAX_ENTITIES = 1_000

/** Body of `POST /api/servers/:id/plan`. */
export const planBody = strictObject({
  direction: z
    .enum(['pull', 'push'])
    .default('pull')
    .meta({ description: '`pull`: bring from there to here; `push`: send from here to there' }),
  records: z.enum(['all', 'none']).default('all'),
  entities: z
    .array(z.string().min(1).max(200))
    .max(MAX_ENTITIES)
    .nullable()
    .default(null)
    .meta({ description: 'With the records of these alone; null: of all' }),
  where: z
    .record(z.string().min(1).max(200), z.string().min(1).max(5_000))
    .refine((all) => Object.keys(all).length <= MAX_ENTITIES, 'has too many entities')
    .default({})
    .meta({ description: 'Entity → filter, as in URLs of searches: only records that match' }),
  onConflict: z
    .enum(['keep', 'take', 'fail'])
    .default('fail')
    .meta({ description: 'What wins where both servers changed a record since the last time' }),
})
export type PlanRequest = z.infer<typeof planBody>

export const promoteQuery = strictObject({
  seal: z.string().min(1).max(200).meta({ description: 'Of the plan that is carried out' }),
})

const plannedFile = z.object({
  path: z.string(),
  kind: z.string().nullable(),
  target: z.string().nullable().meta({ description: 'The entity of a data file' }),
  status: z.string(),
  error: z.string().nullable(),
  details: z.array(z.string()),
  changes: z.array(z.string()).meta({ description: 'Of tables, in words' }),
  created: count,
  updated: count,
  deleted: count.meta({ description: 'Records that go to the trash' }),
  conflictCount: count,
  conflicts: z
    .array(
      z.object({
        key: z.string(),
        change: z.string().meta({ description: 'What happened to the record at the target' }),
        decision: z.string(),
        fields: z.array(z.object({ field: z.string(), target: z.string(), source: z.string() })),
      }),
    )
    .meta({ description: 'The first of them' }),
})

/** What a promotion would do; nothing of it is a secret. */
const promotionPlan = z
  .object({
    plugins: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        version: z.string().nullable(),
        installedVersion: z.string().nullable(),
        failed: count.meta({ description: 'Files that could not be installed' }),
        files: z.array(plannedFile),
      }),
    ),
    settings: z.array(z.object({ change: z.enum(['create', 'change']), name: z.string() })),
    conflictCount: count,
    alone: z.array(z.string()).meta({ description: 'What the target alone has; it stays' }),
    environment: z
      .array(
        z.object({
          variable: z.string(),
          label: z.string(),
          source: z.string(),
          target: z.string(),
        }),
      )
      .meta({
        description:
          'What is configured otherwise; it is in the environment of each server, and is not changed',
      }),
    missing: z.array(z.string()).meta({
      description: 'What does not travel, and is to be filled in by hand afterwards',
    }),
  })
  .meta({ id: 'Engine.PromotionPlan' })
export type PromotionPlan = z.infer<typeof promotionPlan>

/** A promotion as lists show it. */
export const promotion = z
  .object({
    id: z.uuid(),
    serverId: z.uuid().nullable().meta({ description: 'Null once the server was removed' }),
    serverName: z.string(),
    direction: z.enum(['pull', 'push']),
    records: z.enum(['all', 'none']),
    entities: z.array(z.string()).nullable(),
    where: z.record(z.string(), z.string()),
    onConflict: z.enum(['keep', 'take', 'fail']),
    status: z.enum(PROMOTION_STATUSES),
    seal: z.string().nullable(),
    doneSteps: count,
    totalSteps: count.nullable().meta({ description: 'Null while there is no plan' }),
    done: z.array(z.string()).meta({ description: 'What was done, in words' }),
    undone: z.array(z.string()),
    error: z.string().nullable().meta({ description: 'Why it has stopped' }),
    createdBy: z.string(),
    createdAt: instant,
    startedAt: instant.nullable(),
    completedAt: instant.nullable(),
  })
  .meta({ id: 'Engine.Promotion' })
export type Promotion = z.infer<typeof promotion>

export const promotionWithPlan = promotion
  .extend({ plan: promotionPlan.nullable() })
  .meta({ id: 'Engine.PromotionWithPlan' })
export type PromotionWithPlan = z.infer<typeof promotionWithPlan>
