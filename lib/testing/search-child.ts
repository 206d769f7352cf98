/** A process that searches and writes records, for tests with several on one database. */
import { createInterface } from 'node:readline'
import { sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { rows } from '@/lib/db/sql'
import { createRecords } from '@/lib/records/create-records'
import { getDeps } from '@/lib/runtime'
import { countRecords } from '@/lib/search/count-records'
import type { ConditionsInput } from '@/lib/search/read-input'
import type { SearchInput } from '@/lib/search/search-input'
import { searchRecords } from '@/lib/search/search-records'
import { installTestEntity } from './entity'

export type Command =
  | { name: 'install'; entity: object; schema: object }
  | { name: 'search'; entityName: string; input: SearchInput }
  | { name: 'count'; entityName: string; input: ConditionsInput }
  | { name: 'create'; entityName: string; record: { [field: string]: string | number } }
  | { name: 'sql'; text: string }

const deps = await getDeps()
const actor: Actor = {
  type: 'user',
  id: crypto.randomUUID(),
  userId: crypto.randomUUID(),
  name: 'test',
  roles: ['ADMIN'],
  scopes: null,
  policies: [],
  address: null,
}

async function obey(command: Command): Promise<unknown> {
  switch (command.name) {
    case 'install':
      return (await installTestEntity(deps, command)).name
    case 'search':
      return searchRecords(deps, command.entityName, command.input)
    case 'count':
      return countRecords(deps, command.entityName, command.input)
    case 'create': {
      const { entityName, record } = command
      const input = { entityName, records: [record], naming: 'single', requestId: 'test' } as const
      return createRecords(deps, { ...input, actor })
    }
    case 'sql':
      return rows(deps.db, sql.raw(command.text))
  }
}

console.log('true')
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify((await obey(JSON.parse(line))) ?? null))
process.exit(0)
