import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { KeyPurpose } from '@/lib/crypto/derive-key'
import { reencrypt } from '@/lib/crypto/stored-text'
import { mails, otherServers, providerSessions, totpFactors, webhooks } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { metrics } from '@/lib/metrics/metrics'

/** Where encrypted texts are kept for longer than a day. */
type Column = { purpose: KeyPurpose; table: PgTable; id: PgColumn; text: PgColumn }

const COLUMNS: readonly Column[] = [
  {
    purpose: 'totp-secret',
    table: totpFactors,
    id: totpFactors.userId,
    text: totpFactors.secret,
  },
  { purpose: 'webhook-secret', table: webhooks, id: webhooks.id, text: webhooks.secret },
  { purpose: 'webhook-secret', table: webhooks, id: webhooks.id, text: webhooks.formerSecret },
  {
    purpose: 'provider-token',
    table: providerSessions,
    id: providerSessions.id,
    text: providerSessions.refreshToken,
  },
  { purpose: 'server-key', table: otherServers, id: otherServers.id, text: otherServers.key },
  { purpose: 'mail-body', table: mails, id: mails.id, text: mails.body },
]

/** `again`: the same text, encrypted with the current secret. */
type Outdated = { column: Column; id: string; stored: string; again: string }

/**
 * Encrypts with the current secret what was encrypted with the previous one. A value that changes meanwhile is left to the
 * next round; one that neither reads stays as it is. Returns how many values it encrypted.
 */
export async function encryptAgain(deps: Pick<Deps, 'db' | 'secret' | 'log'>): Promise<number> {
  if (deps.secret.previous === null) return 0
  let count = 0
  for await (const { column, id, stored, again } of outdated(deps)) {
    const name = sql.identifier(column.text.name)
    await deps.db.execute(sql`
      update ${column.table} set ${name} = ${again}
      where ${column.id} = ${id}::uuid and ${column.text} = ${stored}`)
    count += 1
  }
  if (count > 0) deps.log.info({ count }, 'encrypted again with the current secret')
  metrics().previousSecret.set(await countOutdated(deps))
  return count
}

/** How many stored values only the previous secret reads; 0 without one. */
export async function countOutdated(deps: Pick<Deps, 'db' | 'secret'>): Promise<number> {
  let count = 0
  if (deps.secret.previous !== null) for await (const _ of outdated(deps)) count += 1
  return count
}

const BATCH = 500
const FIRST = '00000000-0000-0000-0000-000000000000'

async function* outdated({ db, secret }: Pick<Deps, 'db' | 'secret'>): AsyncGenerator<Outdated> {
  for (const column of COLUMNS) {
    for (let after: string | undefined = FIRST; after !== undefined; ) {
      const batch: { id: string; stored: string }[] = await rows(
        db,
        sql`select ${column.id} as id, ${column.text} as stored from ${column.table}
            where ${column.text} is not null and ${column.id} > ${after}::uuid
            order by ${column.id} limit ${BATCH}`,
      )
      for (const { id, stored } of batch) {
        const again = reencrypt(secret, { purpose: column.purpose, id }, stored)
        if (again !== null) yield { column, id, stored, again }
      }
      after = batch.length === BATCH ? batch.at(-1)?.id : undefined
    }
  }
}
