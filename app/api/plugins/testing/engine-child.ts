/** The engine as one process, for tests that kill it: executes each line of its input. */
import { createInterface } from 'node:readline'
import { sql } from 'drizzle-orm'
import { startBackgroundJobs } from '@/lib/background-jobs'
import { rows } from '@/lib/db/sql'
import { messageOf } from '@/lib/errors'
import { startMailWorker } from '@/lib/mail/mail-worker'
import { getDeps } from '@/lib/runtime'
import { stopping } from '@/lib/stopping'
import { carryOut, type Order } from './orders'

export type Command = Order | { name: 'sql'; text: string }

async function obey(command: Command): Promise<unknown> {
  if (command.name === 'sql') return rows(deps.db, sql.raw(command.text))
  const { status, body } = await carryOut(deps, command)
  return { status, body }
}

const deps = await getDeps()
await startMailWorker(deps, stopping())
await startBackgroundJobs(deps)
console.log('true')
for await (const line of createInterface({ input: process.stdin })) {
  const reply = await obey(JSON.parse(line)).catch((error) => ({ failure: messageOf(error) }))
  console.log(JSON.stringify(reply))
}
process.exit(0)
