/** A process that authenticates callers, for tests with several on one database. */
import { createInterface } from 'node:readline'
import { sql } from 'drizzle-orm'
import { currentActor } from '@/lib/auth/load-actor'
import { sessionCookie } from '@/lib/auth/session-cookie'
import { startSession } from '@/lib/auth/session-store'
import { encodeSession, newSession } from '@/lib/auth/session-token'
import { users } from '@/lib/db/schema'
import { type Bus, one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { getDeps } from '@/lib/runtime'
import { testKey } from './request'

export type Command =
  | { name: 'make key'; roles: string[] }
  /** Of a new user with these roles; its cookie. */
  | { name: 'begin session'; roles: string[] }
  /** The caller's roles, or `refused`. */
  | { name: 'authenticate'; key?: string; cookie?: string }
  | { name: 'sql'; text: string }
  /** No message reaches the process any more. */
  | { name: 'deafen' }
  | { name: 'advance clock'; ms: number }

let deps: Deps = await getDeps()

async function obey(command: Command): Promise<unknown> {
  if (command.name === 'make key') return testKey(deps, command.roles)
  if (command.name === 'begin session') return beginSession(command.roles)
  if (command.name === 'authenticate') return authenticate(command)
  if (command.name === 'sql') return rows(deps.db, sql.raw(command.text))
  if (command.name === 'deafen') deps = { ...deps, bus: deaf }
  else advanceClock(command.ms)
  return 'done'
}

async function beginSession(roles: string[]): Promise<string> {
  const user = { email: `${crypto.randomUUID()}@example.com`, roles, status: 'ACTIVATED' as const }
  const { id, sessionVersion } = one(await deps.db.insert(users).values(user).returning())
  const visitor = { strong: false, userAgent: null, address: null }
  const session = await startSession(deps.db, { user: { id, sessionVersion }, ...visitor })
  const token = await encodeSession(newSession(session), deps.secret)
  return sessionCookie(token, deps.settings).split(';')[0] ?? ''
}

type Credential = { key?: string; cookie?: string }

async function authenticate({ key, cookie }: Credential): Promise<unknown> {
  try {
    const headers = new Headers(key ? { authorization: `Bearer ${key}` } : { cookie: cookie ?? '' })
    const actor = await currentActor({ headers }, deps)
    if (!actor) return 'refused'
    const { roles, policies, mustSetUpSecondFactor } = actor
    return { roles, policies, mustSetUpSecondFactor }
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') return 'refused'
    throw error
  }
}

const deaf: Bus = { publish: async () => {}, subscribe: async () => () => {} }

function advanceClock(ms: number): void {
  const now = performance.now.bind(performance)
  performance.now = () => now() + ms
}

console.log('true')
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify((await obey(JSON.parse(line))) ?? null))
process.exit(0)
