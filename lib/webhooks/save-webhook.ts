import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { hint } from '@/lib/db/bus'
import { isUniqueViolation } from '@/lib/db/errors'
import { type WebhookRow, webhooks } from '@/lib/db/schema'
import { now, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'
import { actsFor } from './acts-for'
import { checkWebhook } from './check-webhook'
import {
  ACTIONS,
  type CreateWebhook,
  type NewWebhook,
  type UpdateWebhook,
  type Webhook,
} from './contract'
import { positionsFor } from './positions'
import { newSecret, sealSecret } from './secrets'
import { resume } from './stop-webhook'
import { findWebhook, selectWebhooks, toWebhook } from './store'

/** Each asks the database every time that something changes. */
const MAX_WEBHOOKS = 100

type By = { actor: Actor; requestId: string }

/**
 * Makes a webhook, which sends what changes from now on. Throws `conflict` for a taken name and beyond `MAX_WEBHOOKS`, `invalid_input` for
 * what does not fit its entities and for an address that nothing is sent to, `forbidden` for entities that the caller may not read.
 */
export async function createWebhook(
  deps: Deps,
  { enabled = true, ...body }: CreateWebhook,
  by: By,
): Promise<NewWebhook> {
  const set = await checked(deps, { ...body, ...defaultsOf(body) }, by.actor)
  const [id, text] = [randomUUID(), newSecret()]
  const secret = sealSecret(deps.secret, id, text)
  const positions = await positionsFor(deps, set.entities, {})
  const row = await named(() =>
    deps.db.transaction(async (tx) => {
      if ((await tx.$count(webhooks)) >= MAX_WEBHOOKS)
        throw new AppError('conflict', `There are ${MAX_WEBHOOKS} webhooks, the most that are kept`)
      const stop = enabled ? {} : { stopped: 'paused' as const, stoppedAt: new Date() }
      const values = { id, ...set, secret, positions, ...stop, ...actsFor(by.actor) }
      const made = one(await tx.insert(webhooks).values(values).returning())
      await recordAudit(tx, by.actor, entryOf('create', made, { after: stated(made) }, by))
      return made
    }),
  )
  await announceWebhooks(deps)
  return { ...toWebhook(row), secret: text }
}

/**
 * Changes the given properties. Who changes what is sent, or where, is from then on who the webhook acts for: nobody can have others' rights send
 * something to an address of their own. Throws as `createWebhook` does, and `not_found`.
 */
export async function updateWebhook(
  deps: Deps,
  id: string,
  { enabled, name, ...body }: UpdateWebhook,
  by: By,
): Promise<Webhook> {
  const before = await findWebhook(deps.db, id)
  const isOther = Object.keys(body).length > 0
  const set = isOther ? await checked(deps, { ...before, ...body }, by.actor) : null
  const places = set && (await positionsFor(deps, set.entities, before.positions))
  await named(() =>
    deps.db.transaction(async (tx) => {
      const current = await findWebhook(tx, id, { lock: true })
      const read = Object.entries(current.positions).filter(
        ([entity]) => places && entity in places,
      )
      const positions = { ...places, ...Object.fromEntries(read) }
      const changes = set ? { ...set, positions, ...actsFor(by.actor) } : {}
      const renamed = { name: name ?? current.name, updatedAt: now }
      const query = tx.update(webhooks).set({ ...changes, ...renamed })
      const after = one(await query.where(eq(webhooks.id, id)).returning())
      if (enabled === true && current.stopped) await resume(tx, id)
      if (enabled === false && !current.stopped)
        await tx
          .update(webhooks)
          .set({ stopped: 'paused', stoppedAt: new Date() })
          .where(eq(webhooks.id, id))
      const details = { before: stated(current), after: { ...stated(after), enabled } }
      await recordAudit(tx, by.actor, entryOf('update', after, details, by))
    }),
  )
  await announceWebhooks(deps)
  return one(await selectWebhooks(deps.db, { id }))
}

/** Deletes a webhook and its log; what is in flight still arrives. Throws `not_found`. */
export const deleteWebhook = ({ db }: Pick<Deps, 'db'>, id: string, by: By): Promise<void> =>
  db.transaction(async (tx) => {
    const before = await findWebhook(tx, id, { lock: true })
    await tx.delete(webhooks).where(eq(webhooks.id, id))
    await recordAudit(tx, by.actor, entryOf('delete', before, { before: stated(before) }, by))
  })

/** Tells the workers of all instances; call it after the commit. */
export const announceWebhooks = (deps: Pick<Deps, 'bus' | 'log'>) => hint(deps, 'engine_webhooks')

type Stated = Pick<
  WebhookRow,
  'name' | 'url' | 'entities' | 'actions' | 'where' | 'fields' | 'many' | 'format'
>

function defaultsOf({ actions, where, fields, many, format }: CreateWebhook) {
  const hasConditions = (where?.length ?? 0) > 0
  return {
    actions: actions ?? (hasConditions ? ['created', 'entered'] : [...ACTIONS]),
    where: hasConditions ? (where ?? null) : null,
    fields: fields ?? null,
    many: many ?? (hasConditions ? 'records' : 'count'),
    format: format ?? 'engine',
  } as const
}

async function checked(
  deps: Deps,
  all: { [K in keyof Stated]: Stated[K] | readonly string[] },
  actor: Actor,
): Promise<Stated> {
  const input = stated(all as Stated)
  const set = { ...input, where: input.where?.length ? input.where : null }
  await deps.remote.checkReceiver(set.url)
  const actions = [...new Set(set.actions)]
  return { ...set, actions, entities: await checkWebhook(deps, set, actor) }
}

const stated = ({ name, url, entities, actions, where, fields, many, format }: Stated): Stated => ({
  ...{ name, url, entities, actions, where, fields, many, format },
})

async function named<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new AppError('conflict', 'There is a webhook with this name already')
  }
}

export const entryOf = (
  action: string,
  { id, name }: Pick<WebhookRow, 'id' | 'name'>,
  details: object,
  { requestId }: Pick<By, 'requestId'>,
) => ({
  action: `webhooks.${action}`,
  objectType: 'webhook',
  objectId: id,
  details: { name, ...details } as JsonObject,
  requestId,
})
