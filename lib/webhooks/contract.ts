import { z } from 'zod'
import { DELIVERY_STATUSES, STOP_REASONS } from '@/lib/db/schema/webhook-states'
import { wholeNumber } from '@/lib/search/contract'
import { instant, jsonValue, limitedList, nameText, strictObject } from '@/lib/values/wire-types'

/** What a change can be to whom the webhook acts for; `many` stands for many records. */
export const ACTIONS = ['created', 'updated', 'deleted', 'entered', 'left', 'many'] as const
const action = z.enum(ACTIONS, `must be one of ${ACTIONS.join(', ')}`)

const name = nameText({
  missing: 'The webhook needs a name',
  max: 100,
  tooLong: 'has at most 100 characters',
})
const text = z.string().min(1, 'must not be empty').max(200, 'has at most 200 characters')

const shape = {
  name,
  url: z.string().meta({
    description:
      'Where a POST is sent: https, on the public internet, or a host of `OUTGOING_ALLOWED_HOSTS`',
  }),
  entities: limitedList(z.array(text).min(1, 'Name at least one entity'), 50).meta({
    description: 'Which keep events',
  }),
  actions: limitedList(z.array(action).min(1, 'Name at least one action'), 20)
    .optional()
    .meta({ description: 'All when left out; with conditions `created` and `entered`' }),
  where: limitedList(z.array(jsonValue), 100).nullable().optional().meta({
    description:
      'Conditions of a search: an update by which a record comes to meet them is `entered`, one by which it no longer does `left`',
  }),
  fields: limitedList(z.array(text).min(1, 'Name at least one field'), 200)
    .nullable()
    .optional()
    .meta({ description: 'All that is sent of a record; updates of others are not sent' }),
  many: z.enum(['count', 'records'], 'must be count or records').optional().meta({
    description:
      'Of installs and statements about more than 100 records: one message with their number, or each record, as is usual with conditions',
  }),
  format: z.enum(['engine', 'cloudevents'], 'must be engine or cloudevents').optional().meta({
    description: 'Of the body; `cloudevents`: CloudEvents 1.0, structured',
  }),
  enabled: z.boolean().optional().meta({ description: 'False: changes wait' }),
}

/** Body of `POST /api/webhooks`. */
export const createWebhookBody = strictObject(shape)
export type CreateWebhook = z.infer<typeof createWebhookBody>

/** Body of `PATCH /api/webhooks/:id`: the given properties are changed. */
export const updateWebhookBody = strictObject({
  ...shape,
  name: name.optional(),
  url: shape.url.optional(),
  entities: shape.entities.optional(),
})
export type UpdateWebhook = z.infer<typeof updateWebhookBody>

export const webhookParams = strictObject({ id: z.uuid('is not the id of a webhook') })
export const deliveryParams = strictObject({
  id: z.uuid('is not the id of a webhook'),
  deliveryId: z.uuid('is not the id of a delivery'),
})

const count = z.int().min(0)

/** A webhook as the API shows it. */
export const webhook = z
  .object({
    id: z.uuid(),
    name: z.string(),
    url: z.string(),
    entities: z.array(z.string()),
    actions: z.array(action),
    where: z.array(jsonValue).nullable(),
    fields: z.array(z.string()).nullable(),
    many: z.enum(['count', 'records']),
    format: z.enum(['engine', 'cloudevents']),
    enabled: z.boolean(),
    stopped: z.enum(STOP_REASONS).nullable().meta({
      description:
        'Why nothing is sent: `paused` by hand, `failing` for 12 hours, `removed` by an answer 410, `unauthorised`: whoever it acts for has lost the right to it, `invalid`: its conditions no longer fit an entity',
    }),
    stoppedAt: instant.nullable(),
    failures: count.meta({ description: 'Attempts that failed since the last that did not' }),
    failingSince: instant.nullable(),
    missedAt: instant.nullable().meta({
      description: 'When it was found that changes were no longer kept which had not been sent',
    }),
    savedBy: z.string().meta({ description: 'Who saved it last: it reads with their rights' }),
    waiting: count.meta({ description: 'Deliveries that are still to be made' }),
    failed: count.meta({ description: 'Deliveries in the log that were given up' }),
    formerSecretUntil: instant
      .nullable()
      .meta({ description: 'The secret before the last rotation signs too until then' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Engine.Webhook' })
export type Webhook = z.infer<typeof webhook>

export const newWebhook = webhook
  .extend({
    secret: z.string().meta({ description: '`whsec_…`, to verify signatures; shown this once' }),
  })
  .meta({ id: 'Engine.NewWebhook' })
export type NewWebhook = z.infer<typeof newWebhook>

const page = wholeNumber(z.number().max(1_000_000, 'is too large')).default(0)
const size = wholeNumber(
  z.number().min(1, 'must be at least 1').max(250, 'must be at most 250'),
).default(50)

export const webhooksQuery = strictObject({ page, size })

const status = z.enum(DELIVERY_STATUSES, `must be one of ${DELIVERY_STATUSES.join(', ')}`)
const time = z.iso.datetime({
  offset: true,
  error: 'must be a time such as 2030-01-31T12:00:00Z',
})

/** Query of `GET /api/webhooks/:id/deliveries`. */
export const deliveriesQuery = strictObject({
  page,
  size,
  status: status.optional(),
  entity: text.optional(),
  key: text.optional().meta({ description: 'The `persistenceId` of a record' }),
  from: time.optional().meta({ description: 'Queued then or later' }),
  to: time.optional().meta({ description: 'Queued before' }),
})
export type DeliveriesQuery = z.infer<typeof deliveriesQuery>

/** Body of `POST /api/webhooks/:id/redeliver`. */
export const redeliverBody = strictObject({
  status: z
    .enum(['delivered', 'failed', 'withheld'], 'must be delivered, failed or withheld')
    .optional()
    .meta({ description: '`failed` when no time is named either' }),
  from: time.optional(),
  to: time.optional(),
})
export type Redeliver = z.infer<typeof redeliverBody>

export const delivery = z
  .object({
    id: z.uuid().meta({ description: 'The `webhook-id` of every attempt' }),
    entity: z.string().nullable().meta({ description: 'Null: a test' }),
    key: z.string().nullable(),
    action: z.enum([...ACTIONS, 'test']),
    status,
    attempts: count,
    tries: z
      .array(
        z.object({
          at: instant,
          status: z.int().nullable(),
          error: z.string().nullable(),
          ms: z.number(),
        }),
      )
      .meta({ description: 'The last 20 attempts' }),
    error: z.string().nullable(),
    nextAttemptAt: instant.nullable(),
    request: z.string().nullable().meta({
      description:
        'The body as it was last sent, up to 64 KiB; null for callers who may not read all of the entity',
    }),
    response: z.string().nullable().meta({ description: 'The first 4 KiB of the answer' }),
    createdAt: instant,
    endedAt: instant.nullable(),
  })
  .meta({ id: 'Engine.WebhookDelivery' })
export type Delivery = z.infer<typeof delivery>

export const redelivered = z.object({ redelivered: count })
