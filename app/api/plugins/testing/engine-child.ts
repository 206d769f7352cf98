/** The engine as one process, for tests that kill it: executes each line of its input. */
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { sql } from 'drizzle-orm'
import { DELETE } from '@/app/api/entities/[entityName]/batch/route'
import { POST } from '@/app/api/plugins/install/zip/route'
import { startBackgroundJobs } from '@/lib/background-jobs'
import { rows } from '@/lib/db/rows'
import { getDeps } from '@/lib/runtime'
import { uploadOf } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'

export type Command =
  | { name: 'install'; archive: string; query: string }
  | { name: 'delete'; entity: string; query?: object[] }
  | { name: 'sql'; text: string }

async function obey(command: Command): Promise<unknown> {
  if (command.name === 'sql') return rows(deps.db, sql.raw(command.text))
  const response = await (command.name === 'install' ? install(command) : remove(command))
  return { status: response.status, body: response.body }
}

const install = async ({ archive, query }: Extract<Command, { name: 'install' }>) =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/install/zip${query}`,
    body: uploadOf(await readFile(archive)),
    as: 'ADMIN',
  })

const remove = ({ entity, query }: Extract<Command, { name: 'delete' }>) =>
  call(deps, DELETE, {
    method: 'DELETE',
    path: `/api/entities/${entity}/batch`,
    params: { entityName: entity },
    body: { entity, query },
    as: 'ADMIN',
  })

const deps = await getDeps()
await startBackgroundJobs(deps)
console.log('true')
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await obey(JSON.parse(line))))
}
process.exit(0)
