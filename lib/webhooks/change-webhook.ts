import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { type WebhookRow, webhooks } from '@/lib/db/schema'
import { type Db, now, one } from '@/lib/db/sql'
import { WEBHOOK_KEYS } from '@/lib/definitions/webhook'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { actsFor } from './acts-for'
import type { SavedWebhook, UpdateWebhook } from './contract'
import { positionsFor } from './positions'
import { announceWebhooks, type By, checked, entryOf, named, stated } from './save-webhook'
import { newSecret, sealSecret } from './secrets'
import { resume } from './stop-webhook'
import { findWebhook, selectWebhooks } from './store'

/**
 * Changes the given properties. Who changes what is sent, or where, is from then on who the webhook acts for: nobody can have others' rights send
 * something to an address of their own. Of one that a plugin declares only `url` and `enabled` can be changed; with the first address it gets its
 * secret, and sends what changes from now on. Throws as `createWebhook` does, `not_found`, and `conflict` for what a plugin declares.
 */
export async function updateWebhook(
  deps: Deps,
  id: string,
  { enabled, name, ...body }: UpdateWebhook,
  by: By,
): Promise<SavedWebhook> {
  const before = await findWebhook(deps.db, id)
  requireUndeclared(before, { name, ...body })
  const isOther = Object.keys(body).length > 0
  const set = isOther ? await checked(deps, { ...before, ...body }, by.actor) : null
  const places = set && (await positionsFor(deps, set.entities, before.positions))
  const secret = await named(() =>
    deps.db.transaction(async (tx) => {
      const current = await findWebhook(tx, id, { lock: true })
      requireSame(before, current)
      const made = set && current.secret === null ? newSecret() : null
      const read = Object.entries(current.positions).filter(
        ([entity]) => places && entity in places,
      )
      const positions = { ...places, ...Object.fromEntries(read) }
      const sealed = made === null ? {} : { secret: sealSecret(deps.secret, id, made) }
      const changes = set ? { ...set, positions, ...sealed, ...actsFor(by.actor) } : {}
      const renamed = { name: name ?? current.name, updatedAt: now }
      const query = tx.update(webhooks).set({ ...changes, ...renamed })
      const after = one(await query.where(eq(webhooks.id, id)).returning())
      await turn(tx, current, enabled)
      const details = { before: stated(current), after: { ...stated(after), enabled } }
      await recordAudit(tx, by.actor, entryOf('update', after, details, by))
      return made
    }),
  )
  await announceWebhooks(deps)
  const saved = one(await selectWebhooks(deps.db, { id }))
  return secret === null ? saved : { ...saved, secret }
}

async function turn(tx: Db, { id, stopped }: WebhookRow, enabled?: boolean): Promise<void> {
  if (enabled === true && stopped) await resume(tx, id)
  if (enabled !== false || stopped) return
  const paused = { stopped: 'paused', stoppedAt: new Date() } as const
  await tx.update(webhooks).set(paused).where(eq(webhooks.id, id))
}

function requireUndeclared({ name, pluginId }: WebhookRow, body: object): void {
  const sent = Object.entries(body).filter(([, value]) => value !== undefined)
  const declared = sent.map(([key]) => key).filter((key) => WEBHOOK_KEYS.includes(key))
  if (pluginId === null || declared.length === 0) return
  throw new AppError(
    'conflict',
    `The webhook "${name}" belongs to the plugin ${pluginId}, which alone changes its ${declared.join(', ')}; its address and whether it sends are changed here`,
  )
}

/** An upgrade of its plugin may have come between. */
function requireSame(before: WebhookRow, current: WebhookRow): void {
  if (isDeepStrictEqual(before.definition, current.definition)) return
  throw new AppError(
    'conflict',
    `The plugin of the webhook "${current.name}" has just changed it; look at it again`,
  )
}
