import { z } from 'zod'
import { DELIVERY_STATUSES, STOP_REASONS } from '@/lib/db/schema/webhook-states'
import { WEBHOOK_ACTIONS, webhookShape } from '@/lib/definitions/webhook'
import { wholeNumber } from '@/lib/search/contract'
import { instant, jsonValue, strictObject } from '@/lib/values/wire-types'

export const ACTIONS = WEBHOOK_ACTIONS
const action = z.enum(ACTIONS, `must be one of ${ACTIONS.join(', ')}`)
const text = z.string().min(1, 'must not be empty').max(200, 'has at most 200 characters')

const shape = {
  ...webhookShape,
  url: z.string().meta({
    description:
      'Where a POST is sent: https, on the public internet, or a host of `OUTGOING_ALLOWED_HOSTS`',
  }),
  enabled: z.boolean().optional().meta({ description: 'False: changes wait' }),
}

/** Body of `POST /api/webhooks`. */
export const createWebhookBody = strictObject(shape)
export type CreateWebhook = z.infer<typeof createWebhookBody>

/** Body of `PATCH /api/webhooks/:id`: the given properties are changed. */
export const updateWebhookBody = strictObject({
  ...shape,
  name: shape.name.optional(),
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
    url: z.string().nullable().meta({
      description: 'Null: declared by a plugin, it sends nothing until an address is filled in',
    }),
    pluginId: z.string().nullable().meta({
      description:
        'The plugin that declares it, which alone changes more than `url` and `enabled`; null: made here',
    }),
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
/** Answer of `PATCH /api/webhooks/:id`. */
export const savedWebhook = webhook
  .extend({
    secret: z.string().optional().meta({
      description: 'When an address is filled in first: to verify signatures; shown this once',
    }),
  })
  .meta({ id: 'Engine.SavedWebhook' })
export type SavedWebhook = z.infer<typeof savedWebhook>
export type NewWebhook = z.infer<typeof newWebhook>

const page = wholeNumber(z.number().max(1_000_000, 'is too large')).default(0)
const size = wholeNumber(
  z.number().min(1, 'must be at least 1').max(250, 'must be at most 250'),
).default(50)

export const webhooksQuery = strictObject({ page, size })

const status = z.enum(DELIVERY_STATUSES, `must be one of ${DELIVERY_STATUSES.join(', ')}`)
const NO_TIME = 'must be a time such as 2030-01-31T12:00:00Z'
/** What PostgreSQL reads as JavaScript writes it. */
const [FIRST_MS, LAST_MS] = [
  Date.parse('0001-01-01T00:00:00Z'),
  Date.parse('9999-12-31T23:59:59.999Z'),
]
const isYear = (text: string) => Date.parse(text) >= FIRST_MS && Date.parse(text) <= LAST_MS
const time = z.iso.datetime({ offset: true, error: NO_TIME }).refine(isYear, NO_TIME)

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
