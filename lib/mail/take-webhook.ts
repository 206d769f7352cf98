import { z } from 'zod'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { OUTBOX_TAG } from '@/lib/mail-provider/resend'
import { recordFate } from './store'

type Delivery = { payload: string; headers: Headers; requestId: string }

// Resend sends tags as an object in webhooks, and as a list elsewhere.
const tags = z.union([
  z.record(z.string(), z.string()),
  z
    .array(z.object({ name: z.string(), value: z.string() }))
    .transform((list) => Object.fromEntries(list.map(({ name, value }) => [name, value]))),
])
const event = z.object({
  type: z.string(),
  data: z.object({ tags: tags.optional(), bounce: z.object({ message: z.string() }).optional() }),
})
type Event = z.infer<typeof event>

/**
 * Takes a webhook of Resend: sent becomes delivered or bounced. Other events, and mails that are
 * not of this outbox, are ignored. Throws `not_found` while no secret is set and `unauthenticated`
 * for a signature that is wrong or older than five minutes.
 */
export async function takeWebhook(deps: Deps, delivery: Delivery): Promise<void> {
  const secret = deps.settings.RESEND_WEBHOOK_SECRET
  if (!secret) throw new AppError('not_found', 'Webhooks are off: RESEND_WEBHOOK_SECRET is not set')
  const parsed = event.safeParse(await verified(delivery, secret))
  const fate = parsed.success ? fateOf(parsed.data) : null
  const id = parsed.data?.data.tags?.[OUTBOX_TAG]
  if (!fate || !id) return
  await deps.db.transaction(async (tx) => {
    if (!(await recordFate(tx, id, fate))) return
    await recordAudit(
      tx,
      { type: 'system' },
      {
        action: `mails.${fate.status}`,
        objectType: 'mail',
        objectId: id,
        requestId: delivery.requestId,
      },
    )
  })
}

async function verified({ payload, headers }: Delivery, webhookSecret: string): Promise<unknown> {
  const { Resend } = await import('resend')
  const header = (name: string) => headers.get(`svix-${name}`) ?? ''
  try {
    return new Resend('no key is needed for this').webhooks.verify({
      payload,
      headers: { id: header('id'), timestamp: header('timestamp'), signature: header('signature') },
      webhookSecret,
    })
  } catch (cause) {
    throw new AppError('unauthenticated', 'The signature of this webhook is not valid', { cause })
  }
}

function fateOf({ type, data }: Event) {
  if (type === 'email.delivered') return { status: 'delivered' as const, error: null }
  if (type !== 'email.bounced' && type !== 'email.failed') return null
  const error = data.bounce?.message ?? 'The mail could not be delivered'
  return { status: 'bounced' as const, error: error.slice(0, 500) }
}
