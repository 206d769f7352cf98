/**
 * A process that creates users and delivers their mails until it is killed; `killed-app.slow.test.ts` starts
 * it. `--drain`: creates no users, and ends when the outbox is empty.
 */
import { eq } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { mails } from '@/lib/db/schema'
import { now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { startMailWorker } from '@/lib/mail/mail-worker'
import { nextDueInMs } from '@/lib/mail/store'
import { getDeps, stopRuntime } from '@/lib/runtime'
import { initUser } from '@/lib/users/init-user'

const actor: Actor = {
  type: 'user',
  id: crypto.randomUUID(),
  name: 'admin@example.com',
  userId: crypto.randomUUID(),
  roles: ['ADMIN'],
  scopes: null,
  address: null,
}

async function createUser(deps: Deps): Promise<void> {
  const email = `${crypto.randomUUID()}@example.com`
  const user = { email, roles: ['X'], profile: {} }
  await initUser(deps, user, { actor, requestId: 'test', generatesPassword: true })
}

/** As if the last process had ended long ago: its claims have expired. */
const endClaims = ({ db }: Deps) =>
  db.update(mails).set({ claimedUntil: now }).where(eq(mails.status, 'sending'))

/** As if every wait were over. */
const endWaits = ({ db }: Deps) =>
  db.update(mails).set({ nextAttemptAt: now }).where(eq(mails.status, 'queued'))

async function main(): Promise<void> {
  const deps = await getDeps()
  await endClaims(deps)
  await endWaits(deps)
  await startMailWorker(deps, new AbortController().signal)
  while (!process.argv.includes('--drain')) {
    await createUser(deps)
    process.stdout.write('created\n')
  }
  while ((await nextDueInMs(deps.db)) !== null) {
    await endWaits(deps)
    await deps.bus.publish('engine_mail', '')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  process.stdout.write('drained\n')
  await stopRuntime()
  process.exit(0)
}

void main()
