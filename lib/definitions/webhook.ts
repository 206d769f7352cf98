import { z } from 'zod'
import { jsonValue, limitedList, nameText, strictObject } from '@/lib/values/wire-types'

/** What a change can be to whom the webhook acts for; `many` stands for many records. */
export const WEBHOOK_ACTIONS = ['created', 'updated', 'deleted', 'entered', 'left', 'many'] as const
const action = z.enum(WEBHOOK_ACTIONS, `must be one of ${WEBHOOK_ACTIONS.join(', ')}`)

const text = z.string().min(1, 'must not be empty').max(200, 'has at most 200 characters')

/** What a webhook sends, whoever says so: a request to the API, or a plugin. */
export const webhookShape = {
  name: nameText({
    missing: 'The webhook needs a name',
    max: 100,
    tooLong: 'has at most 100 characters',
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
}

/** A webhook in `EngineWebhooks`. Its address and its secret are given where the plugin is installed. */
export const webhookDefinition = strictObject(webhookShape)
export const WEBHOOK_KEYS = Object.keys(webhookShape)
export type WebhookDefinition = z.infer<typeof webhookDefinition>

/** What is stored of a definition, with what applies where it says nothing. */
export function columnsOfWebhook({
  name,
  entities,
  actions,
  where,
  fields,
  many,
  format,
}: WebhookDefinition) {
  const hasConditions = (where?.length ?? 0) > 0
  const usual = hasConditions ? (['created', 'entered'] as const) : WEBHOOK_ACTIONS
  const usualOfMany = hasConditions ? ('records' as const) : ('count' as const)
  return {
    name,
    entities,
    actions: [...new Set(actions ?? usual)],
    where: hasConditions ? (where ?? null) : null,
    fields: fields ?? null,
    many: many ?? usualOfMany,
    format: format ?? ('engine' as const),
  }
}
