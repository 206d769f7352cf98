import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { POST as CREATE } from '@/app/api/entities/[entityName]/route'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { testsOnPostgres } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { install, upload } from '../../testing/plugin-api'
import { deps, installed } from '../../testing/versions'

const QUERY = `?mode=atomic&from=${encodeURIComponent('https://staging.example.com')}`
const number = (name: string, reference?: object) => ({ name, type: 'number', reference })
const keyed = (...keys: string[]) => keys.map((key) => ({ key, strategy: 'Fixed', type: 'number' }))
const counted = [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]

/** Accounts have the numbers of their customers, lines those of their accounts, and payments refer to lines. */
const FIELDS = {
  Customer: [
    number('id'),
    { name: 'name', type: 'string' },
    number('parent', { entity: 'Customer', field: 'id' }),
  ],
  Account: [number('customer', { entity: 'Customer', field: 'id' })],
  Line: [number('account', { entity: 'Account', field: 'customer' }), number('line')],
  Payment: [
    number('id'),
    number('line', { entity: 'Line', field: 'line', with: { account: 'account' } }),
    number('account'),
  ],
}

const filesOf = (all: [string, object][]) => ({
  files: Object.fromEntries(all.map(([name, content]) => [`${name}.json`, { name, ...content }])),
})

function shop(records: Record<string, object[]> = {}, customerKeys: object[] = counted) {
  const keys = {
    ...{ Customer: customerKeys, Account: keyed('customer') },
    ...{ Line: keyed('account', 'line'), Payment: counted },
  }
  const entity = (pks: object[]) => ({ pks, insertDuplicate: 'Upsert' })
  const data = Object.entries(records).map(([name, list]) => [
    name,
    { files: { 'data.json': list } },
  ])
  return pluginFiles({
    EngineEntities: filesOf(Object.entries(keys).map(([name, pks]) => [name, entity(pks)])),
    EngineSchemas: filesOf(
      Object.entries(FIELDS).map(([name, properties]) => [name, { properties }]),
    ),
    ...Object.fromEntries(data),
  })
}

const make = (name: string, parent?: number) =>
  call(deps, CREATE, {
    ...{ method: 'POST', path: '/api/entities/Customer', as: 'ADMIN' },
    ...{ params: { entityName: 'Customer' }, body: JSON.stringify({ name, parent }) },
    headers: { 'content-type': 'application/json' },
  })

async function promote(...shown: Parameters<typeof shop>) {
  const { status, body } = await install(deps, shop(...shown), { query: QUERY })
  expect([status, body.error]).toEqual([200, undefined])
}

const stored = (columns: string, table: string) =>
  rows(deps.db, sql.raw(`select ${columns} from entities.${table} order by 1`))
const customers = () => stored('id::int, name, parent::int', 'customer')

test('what refers to records by way of others follows their numbers, keys of several parts too', async () => {
  await installed(shop())
  await make('Dan')
  await promote({
    Customer: [{ id: 1, name: 'Ann' }],
    Account: [{ customer: 1 }],
    Line: [{ account: 1, line: 7 }],
    Payment: [{ id: 1, account: 1, line: 7 }],
  })
  expect(await customers()).toEqual([
    { id: 1, name: 'Dan', parent: null },
    { id: 2, name: 'Ann', parent: null },
  ])
  expect(await stored('account::int, line::int', 'line')).toEqual([{ account: 2, line: 7 }])
  expect(await stored('id::int, account::int, line::int', 'payment')).toEqual([
    { id: 1, account: 2, line: 7 },
  ])
})

test('a record that only seems to refer to the same one is another, and keys that people type later follow', async () => {
  await installed(shop())
  await make('Dan')
  await make('Kim', 1)
  const [ann, kim] = [
    { id: 1, name: 'Ann' },
    { id: 2, name: 'Kim', parent: 1 },
  ]
  await promote({ Customer: [ann, kim] })
  const both = (name: string) => [
    { id: 1, name: 'Dan', parent: null },
    { id: 2, name: 'Kim', parent: 1 },
    { id: 3, name, parent: null },
    { id: 4, name: 'Kim', parent: 3 },
  ]
  expect(await customers()).toEqual(both('Ann'))
  const typed = keyed('id')
  await promote({ Customer: [{ ...ann, name: 'Anna' }, kim] }, typed)
  expect(await customers()).toEqual(both('Anna'))
  const next = shop({ Customer: [ann, kim, { id: 4, name: 'Bea' }] }, typed)
  const { body } = await upload(deps, next, { query: `${QUERY}&dryRun=true` })
  expect(JSON.stringify(body.data.plan.files)).toContain('which a promotion brought')
})

test.runIf(testsOnPostgres())(
  'a record that others make meanwhile is not written over',
  async () => {
    await installed(shop())
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const installing = await deps.db.transaction(async (tx) => {
      await tx.execute(sql`insert into entities.customer (name) values ('Dan')`)
      const response = install(deps, shop({ Customer: [{ id: 1, name: 'Ann' }] }), { query: QUERY })
      while ((await rows(deps.db, waiting)).length === 0);
      return { response }
    })
    expect(JSON.stringify((await installing.response).logs)).toContain('made here meanwhile')
    expect(await customers()).toEqual([{ id: 1, name: 'Dan', parent: null }])
  },
)
