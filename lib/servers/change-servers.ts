import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { otherServers, type ServerRow } from '@/lib/db/schema'
import { type Db, now, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { CreateServer, OtherServer, UpdateServer } from './contract'
import { findServer, sealKey, toServer } from './store'

export type By = { actor: Actor; requestId: string }

const MAX_SERVERS = 100

/** Throws `invalid_input` for an address that nothing is sent to, `conflict` for a name that is taken, and for too many. */
export async function createServer(
  deps: Deps,
  { name, url, key }: CreateServer,
  by: By,
): Promise<OtherServer> {
  await deps.remote.checkReceiver(url)
  return deps.db.transaction(async (tx) => {
    await requireNew(tx, name)
    const id = randomUUID()
    const values = { id, name, url, key: sealKey(deps, id, key), createdBy: by.actor.name }
    const made = one(await tx.insert(otherServers).values(values).returning())
    await recordAudit(tx, by.actor, entryOf('create', made, { after: { name, url } }, by))
    return toServer(made)
  })
}

/**
 * Changes the given properties. A key is sent to the address alone that it was entered for: another address needs it again.
 * Throws as `createServer` does, and `not_found`.
 */
export async function updateServer(
  deps: Deps,
  id: string,
  { key, ...body }: UpdateServer,
  by: By,
): Promise<OtherServer> {
  if (body.url !== undefined) await deps.remote.checkReceiver(body.url)
  return deps.db.transaction(async (tx) => {
    if (body.name !== undefined) await requireNew(tx, body.name, id)
    const before = await findServer(tx, id)
    if (body.url !== undefined && body.url !== before.url && key === undefined) throw keyNeeded()
    const sealed = key === undefined ? {} : { key: sealKey(deps, id, key) }
    const query = tx.update(otherServers).set({ ...body, ...sealed, updatedAt: now })
    const after = one(await query.where(eq(otherServers.id, id)).returning())
    const details = {
      before: { name: before.name, url: before.url },
      after: { name: after.name, url: after.url, ...(key !== undefined && { key: 'replaced' }) },
    }
    await recordAudit(tx, by.actor, entryOf('update', after, details, by))
    return toServer(after)
  })
}

/** Its promotions stay in the list. Throws `not_found`. */
export const deleteServer = (deps: Deps, id: string, by: By): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const { name, url } = await findServer(tx, id)
    await tx.delete(otherServers).where(eq(otherServers.id, id))
    await recordAudit(tx, by.actor, entryOf('delete', { id, name }, { before: { name, url } }, by))
  })

async function requireNew(tx: Db, name: string, id?: string): Promise<void> {
  await tx.execute(sql`lock table ${otherServers} in share row exclusive mode`)
  const known = await tx.select().from(otherServers)
  if (id === undefined && known.length >= MAX_SERVERS)
    throw new AppError('conflict', `There are ${MAX_SERVERS} servers; remove one first`)
  if (known.some((one) => one.id !== id && one.name.toLowerCase() === name.toLowerCase()))
    throw new AppError('conflict', `There is a server "${name}" already`)
}

function keyNeeded(): AppError {
  const error = 'Enter the API key again: it is sent to another address now'
  return new AppError('invalid_input', error, { validations: [{ field: 'key', error }] })
}

const entryOf = (
  action: string,
  { id, name }: Pick<ServerRow, 'id' | 'name'>,
  details: object,
  { requestId }: Pick<By, 'requestId'>,
) => ({
  ...{ action: `servers.${action}`, objectType: 'server', objectId: id, requestId },
  details: { name, ...details },
})
