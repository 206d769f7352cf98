import { eq, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { publishers } from '@/lib/db/schema'
import { type Db, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { readPublicKey } from '@/lib/signatures/public-key'
import { isUuid } from '@/lib/values/uuid'
import type { CreatePublisher, Publisher } from './contract'
import { selectPublishers, toPublisher } from './store'

type Source = Pick<Deps, 'db'>
type Caller = { actor: Actor; requestId: string }

const MAX_PUBLISHERS = 100

/** Throws `invalid_input` for a key that is none, `conflict` for a name or a key that is there already, and for too many. */
export const createPublisher = (
  { db }: Source,
  { name, publicKey, expiresAt = null }: CreatePublisher,
  { actor, requestId }: Caller,
): Promise<Publisher> => {
  const { keyId, text } = readKey(publicKey)
  return db.transaction(async (tx) => {
    await requireNew(tx, name, keyId)
    const values = { name, keyId, publicKey: text, expiresAt, createdBy: actor.name }
    const made = toPublisher(one(await tx.insert(publishers).values(values).returning()))
    await recordAudit(tx, actor, {
      action: 'publishers.create',
      objectType: 'publisher',
      objectId: name,
      details: { after: { name, keyId, expiresAt: made.expiresAt } },
      requestId,
    })
    return made
  })
}

function readKey(input: string) {
  try {
    return readPublicKey(input)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const validations = [{ field: 'publicKey', error: error.message }]
    throw new AppError('invalid_input', error.message, { validations })
  }
}

async function requireNew(tx: Db, name: string, keyId: string): Promise<void> {
  await tx.execute(sql`lock table ${publishers} in share row exclusive mode`)
  const known = await selectPublishers(tx)
  if (known.length >= MAX_PUBLISHERS)
    throw new AppError('conflict', `There are ${MAX_PUBLISHERS} publishers; remove one first`)
  const sameKey = known.find((one) => one.keyId === keyId)
  if (sameKey) throw new AppError('conflict', `The key ${keyId} is trusted as "${sameKey.name}"`)
  if (known.some((one) => one.name.toLowerCase() === name.toLowerCase()))
    throw new AppError(
      'conflict',
      `There is a publisher "${name}"; give the other key another name`,
    )
}

/** Ends the trust in a publisher's key. Throws `not_found`. */
export const deletePublisher = ({ db }: Source, id: string, { actor, requestId }: Caller) =>
  db.transaction(async (tx): Promise<Publisher> => {
    const query = tx.delete(publishers).where(eq(publishers.id, id)).returning()
    const [removed] = isUuid(id) ? await query : []
    if (!removed) throw new AppError('not_found', 'There is no publisher with this id')
    const { name, keyId } = removed
    await recordAudit(tx, actor, {
      action: 'publishers.delete',
      objectType: 'publisher',
      objectId: name,
      details: { before: { name, keyId } },
      requestId,
    })
    return toPublisher(removed)
  })
