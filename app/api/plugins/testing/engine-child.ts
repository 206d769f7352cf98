/** The engine as one process, for tests that kill it: executes each line of its input. */
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { sql } from 'drizzle-orm'
import { DELETE, PATCH } from '@/app/api/entities/[entityName]/batch/route'
import { DELETE as DROP_INDEX } from '@/app/api/entities/[entityName]/indexes/[name]/route'
import { POST as ADD_INDEX } from '@/app/api/entities/[entityName]/indexes/route'
import { POST as ROLL_BACK } from '@/app/api/plugins/history/[id]/rollback/route'
import { POST } from '@/app/api/plugins/install/zip/route'
import { startBackgroundJobs } from '@/lib/background-jobs'
import { rows } from '@/lib/db/rows'
import { getDeps } from '@/lib/runtime'
import { uploadOf } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { restore, uninstall } from './uninstall-api'

export type Command =
  | { name: 'install'; archive: string; query: string }
  | { name: 'delete'; entity: string; query?: object[] }
  | { name: 'edit'; entity: string; set: object; url: string }
  | { name: 'uninstall'; plugin: string }
  | { name: 'restore'; batchId: string }
  | { name: 'roll back'; history: number }
  | { name: 'add index'; entity: string; index: object }
  | { name: 'drop index'; entity: string; index: string }
  | { name: 'sql'; text: string }

async function obey(command: Command): Promise<unknown> {
  if (command.name === 'sql') return rows(deps.db, sql.raw(command.text))
  const response = await respond(command)
  return { status: response.status, body: response.body }
}

function respond(command: Exclude<Command, { name: 'sql' }>) {
  switch (command.name) {
    case 'install':
      return install(command)
    case 'delete':
      return remove(command)
    case 'edit':
      return edit(command)
    case 'uninstall':
      return uninstall(deps, command.plugin)
    case 'restore':
      return restore(deps, command.batchId)
    case 'roll back':
      return rollBack(command.history)
    case 'add index':
      return addIndex(command)
    case 'drop index':
      return dropIndex(command)
  }
}

const install = async ({ archive, query }: Extract<Command, { name: 'install' }>) =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/install/zip${query}`,
    body: uploadOf(await readFile(archive)),
    as: 'ADMIN',
  })

const rollBack = (history: number) =>
  call(deps, ROLL_BACK, {
    method: 'POST',
    path: `/api/plugins/history/${history}/rollback`,
    params: { id: String(history) },
    as: 'ADMIN',
  })

const addIndex = ({ entity, index }: Extract<Command, { name: 'add index' }>) =>
  call(deps, ADD_INDEX, {
    method: 'POST',
    path: `/api/entities/${entity}/indexes`,
    params: { entityName: entity },
    body: index,
    as: 'ADMIN',
  })

const dropIndex = ({ entity, index }: Extract<Command, { name: 'drop index' }>) =>
  call(deps, DROP_INDEX, {
    method: 'DELETE',
    path: `/api/entities/${entity}/indexes/${index}`,
    params: { entityName: entity, name: index },
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

const edit = ({ entity, set, url }: Extract<Command, { name: 'edit' }>) =>
  call(deps, PATCH, {
    method: 'PATCH',
    path: `/api/entities/${entity}/batch?${url}`,
    params: { entityName: entity },
    body: { entity, set },
    as: 'ADMIN',
  })

const deps = await getDeps()
await startBackgroundJobs(deps)
console.log('true')
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await obey(JSON.parse(line))))
}
process.exit(0)
