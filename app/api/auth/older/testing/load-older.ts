import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Browser } from '@/lib/testing/browser'
import { testDeps } from '@/lib/testing/deps'

/**
 * What an older version made, built from `commit` and run on PostgreSQL: tokens, keys and codes that it handed out, and the rows
 * of its tables. `renewed`: a cookie of this version, as the older one renewed it beside it.
 */
export type Older = {
  commit: string
  madeAt: string
  secret: string
  password: string
  session: string
  apiKey: string
  bootstrapKey: string
  letters: { id: string; template: string; to: string; token: string }[]
  totp?: { secret: string; recoveryCodes: string[] }
  renewed?: { sid: string; since: number; token: string }
  rows: Record<string, Record<string, unknown>[]>
}

export const readOlder = (date: string): Older =>
  JSON.parse(readFileSync(join(__dirname, '..', `${date}.json`), 'utf8'))

/** Deps of this version on what the older one left. Links and sessions are given their time again. */
export async function upgraded({ secret, rows }: Older) {
  const deps = await testDeps({ NEXTAUTH_SECRET: secret, SESSION_MAX_DAYS: '3650' })
  for (const [table, content] of Object.entries(rows))
    await deps.db.execute(
      sql`insert into ${sql.identifier('engine')}.${sql.identifier(table)} (${columnsOf(content)})
          select ${columnsOf(content)} from json_populate_recordset(null::${sql.identifier('engine')}.${sql.identifier(table)}, ${JSON.stringify(content)}::text::json)`,
    )
  await deps.db.execute(sql`update engine.user_tokens set expires_at = now() + interval '1 hour'`)
  await deps.db.execute(sql`update engine.sessions set last_seen_at = now()`)
  return deps
}

/** Columns that are newer have their defaults. */
const columnsOf = ([row = {}]: Record<string, unknown>[]) =>
  sql.join(
    Object.keys(row).map((name) => sql.identifier(name)),
    sql`, `,
  )

/** A browser that has kept its cookie over the upgrade. */
export const browserWith = (deps: Awaited<ReturnType<typeof upgraded>>, token: string) =>
  new Browser(deps, { headers: { cookie: `next-auth.session-token=${token}` } })
