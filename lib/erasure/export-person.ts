import { sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { requireNoStronger } from '@/lib/auth/grant'
import type { Actor } from '@/lib/auth/rights'
import { type Db, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { requireRecentlyConfirmed } from '@/lib/second-factors/confirm-identity'
import { findUser } from '@/lib/users/store'
import { STORED_PARTS, type StoredPart } from './person/stored-parts'

const PAGE_ROWS = 1000

type PersonFile = { fileName: string; mediaType: string; chunks: AsyncIterable<Uint8Array> }
type Caller = { actor: Actor; requestId: string }

/**
 * Everything that is stored of a person as a JSON file, without secrets, read while it is sent. Recorded in the audit log. Throws
 * `not_found`, and `forbidden` for one with more rights than the caller and for a session that must confirm first.
 */
export async function exportPerson(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { actor, requestId }: Caller,
): Promise<PersonFile> {
  const user = await findUser(db, userId)
  if (!user) throw new AppError('not_found', 'There is no user with this id')
  await requireNoStronger(db, actor, user.roles)
  await requireRecentlyConfirmed(db, actor)
  const entry = { action: 'users.export', objectType: 'user', objectId: userId, requestId }
  await recordAudit(db, actor, entry)
  return {
    fileName: `person-${userId}.json`,
    mediaType: 'application/json',
    chunks: inBytes(chunks(db, userId)),
  }
}

async function* inBytes(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}

async function* chunks(db: Db, id: string): AsyncGenerator<string> {
  let before = '{'
  for (const part of STORED_PARTS) {
    yield `${before}\n${JSON.stringify(part.name)}: [`
    yield* rowsOf(db, part, id)
    yield ']'
    before = ','
  }
  yield '\n}\n'
}

/** In pages; numbers keep all their digits, since rows come as text. */
async function* rowsOf(db: Db, part: StoredPart, id: string): AsyncGenerator<string> {
  let last = '0'
  let before = '\n'
  for (;;) {
    const page = await rows<{ n: string; row: string }>(
      db,
      sql`select p.n::text as n, p.row::text as row from (${part.rows(id)}) as p
        where p.n > ${last}::bigint order by p.n limit ${PAGE_ROWS}::int`,
    )
    for (const { row } of page) {
      yield before + row
      before = ',\n'
    }
    if (page.length < PAGE_ROWS) return
    last = page.at(-1)?.n ?? last
  }
}
