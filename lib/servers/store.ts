import { asc, eq } from 'drizzle-orm'
import { decrypt, encrypt } from '@/lib/crypto/stored-text'
import { otherServers, type ServerRow } from '@/lib/db/schema'
import { type Db, lower } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Address } from './clients/remote-client'
import type { OtherServer } from './contract'

/** All, by name: there are at most 100. */
export async function listServers({ db }: Pick<Deps, 'db'>): Promise<OtherServer[]> {
  const found = await db
    .select()
    .from(otherServers)
    .orderBy(asc(lower(otherServers.name)))
  return found.map(toServer)
}

/** Throws `not_found`. */
export async function findServer(db: Db, id: string): Promise<ServerRow> {
  const [found] = await db.select().from(otherServers).where(eq(otherServers.id, id))
  if (found) return found
  throw new AppError('not_found', 'There is no server with this id')
}

export const toServer = ({ key: _, ...row }: ServerRow): OtherServer => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const sealKey = ({ secret }: Pick<Deps, 'secret'>, id: string, key: string): string =>
  encrypt(secret, { purpose: 'server-key', id }, key)

/** Throws `conflict` for a key that was encrypted with another secret of the app. */
export function addressOf(
  { secret }: Pick<Deps, 'secret'>,
  { id, name, url, key: sealed }: ServerRow,
): Address {
  const key = decrypt(secret, { purpose: 'server-key', id }, sealed)
  if (key !== null) return { name, url, key }
  throw new AppError(
    'conflict',
    `The API key of "${name}" can no longer be read, since NEXTAUTH_SECRET has changed: enter it again`,
  )
}
