import { randomUUID } from 'node:crypto'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { hint } from '@/lib/db/bus'
import { isUniqueViolation } from '@/lib/db/errors'
import { type WebhookRow, webhooks } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import { columnsOfWebhook } from '@/lib/definitions/webhook'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { findAmongAll } from '@/lib/registry/registry'
import type { JsonObject } from '@/lib/values/json'
import { actsFor } from './acts-for'
import { checkWebhook } from './check-webhook'
import type { CreateWebhook, NewWebhook } from './contract'
import { positionsFor } from './positions'
import { newSecret, sealSecret } from './secrets'
import { toWebhook } from './store'

/** Each asks the database every time that something changes. */
export const MAX_WEBHOOKS = 100

export type By = { actor: Actor; requestId: string }

/**
 * Makes a webhook, which sends what changes from now on. Throws `conflict` for a taken name and beyond `MAX_WEBHOOKS`, `invalid_input` for
 * what does not fit its entities and for an address that nothing is sent to, `forbidden` for entities that the caller may not read.
 */
export async function createWebhook(
  deps: Deps,
  { enabled = true, ...body }: CreateWebhook,
  by: By,
): Promise<NewWebhook> {
  const set = await checked(deps, { ...body, ...columnsOfWebhook(body) }, by.actor)
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

/** Tells the workers of all instances; call it after the commit. */
export const announceWebhooks = (deps: Pick<Deps, 'bus' | 'log'>) => hint(deps, 'engine_webhooks')

type Stated = Pick<
  WebhookRow,
  'name' | 'url' | 'entities' | 'actions' | 'where' | 'fields' | 'many' | 'format'
>

/** What is to be stored. Throws as `createWebhook` does. */
export async function checked(
  deps: Deps,
  all: { [K in keyof Stated]: Stated[K] | readonly string[] },
  actor: Actor,
): Promise<Stated> {
  const input = stated(all as Stated)
  const set = { ...input, where: input.where?.length ? input.where : null }
  if (set.url !== null) await deps.remote.checkReceiver(set.url)
  const actions = [...new Set(set.actions)]
  return {
    ...set,
    actions,
    entities: await checkWebhook((name) => findAmongAll(deps, name), set, actor),
  }
}

export const stated = ({
  name,
  url,
  entities,
  actions,
  where,
  fields,
  many,
  format,
}: Stated): Stated => ({
  ...{ name, url, entities, actions, where, fields, many, format },
})

/** Throws `conflict` where `save` finds the name taken. */
export async function named<T>(save: () => Promise<T>): Promise<T> {
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
