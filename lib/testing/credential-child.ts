/** A process that authenticates callers, for tests with several on one database. */
import { createInterface } from 'node:readline'
import { sql } from 'drizzle-orm'
import { currentActor } from '@/lib/auth/actor'
import { rows } from '@/lib/db/rows'
import type { Bus } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { getDeps } from '@/lib/runtime'
import { testKey } from './request'

export type Command =
  | { name: 'make key'; roles: string[] }
  /** The caller's roles, or `refused`. */
  | { name: 'authenticate'; key: string }
  | { name: 'sql'; text: string }
  /** No message reaches the process any more. */
  | { name: 'deafen' }
  | { name: 'advance clock'; ms: number }

let deps: Deps = await getDeps()

async function obey(command: Command): Promise<unknown> {
  if (command.name === 'make key') return testKey(deps, command.roles)
  if (command.name === 'authenticate') return authenticate(command.key)
  if (command.name === 'sql') return rows(deps.db, sql.raw(command.text))
  if (command.name === 'deafen') deps = { ...deps, bus: deaf }
  else advanceClock(command.ms)
  return 'done'
}

async function authenticate(key: string): Promise<unknown> {
  try {
    const headers = new Headers({ authorization: `Bearer ${key}` })
    const { roles, policies } = (await currentActor({ headers }, deps)) ?? {}
    return { roles, policies }
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
