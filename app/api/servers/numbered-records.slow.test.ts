import { expect, test } from 'vitest'
import {
  add,
  plan,
  promote,
  type Server,
  send,
  servers,
  startServer,
  undo,
} from './testing/two-servers'

servers()

const pks = [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]
const id = { name: 'id', type: 'number' }
const reference = { entity: 'Customer', field: 'id' }
const customers = {
  plugin: 'local.customers',
  entities: [{ name: 'Customer', pks }],
  schemas: [{ name: 'Customer', properties: [id, { name: 'name', type: 'string' }] }],
}
/** By its id it comes before the plugin to whose records its own refer. */
const bookings = {
  plugin: 'local.bookings',
  entities: [{ name: 'Booking', pks }],
  schemas: [{ name: 'Booking', properties: [id, { name: 'customer', type: 'number', reference }] }],
}

const create = (server: Server, entity: string, body: object) =>
  send(server, 'POST', `/api/entities/${entity}`, body)

async function namesOf(server: Server): Promise<string[]> {
  const found = await send(server, 'GET', '/api/entities/Booking?sort=id:asc&expand=customer')
  return found.map((one: { customer: { name: string } }) => one.customer.name)
}

const rowsOf = async (server: Server) =>
  (await send(server, 'GET', '/api/entities/Customer?sort=id:asc&fields=id,name')).map(
    (one: { id: number; name: string }) => `${one.id} ${one.name}`,
  )

test('records that both servers have numbered by themselves are different ones, in all plugins', async () => {
  const from = await startServer()
  const to = await startServer(from)
  await send(from, 'POST', '/api/model/apply', customers)
  await send(from, 'POST', '/api/model/apply', bookings)
  await create(from, 'Customer', { name: 'Ann' })
  await create(from, 'Booking', { customer: 1 })
  const other = await add(to, from)
  expect(await promote(to, other)).toMatchObject({ status: 'DONE', error: null })
  await create(from, 'Customer', { name: 'Bob' })
  await create(from, 'Booking', { customer: 2 })
  await create(to, 'Customer', { name: 'Dan' })
  await create(to, 'Booking', { customer: 2 })
  const before = [await rowsOf(to), await namesOf(to)]

  const done = await promote(to, other)
  expect(done).toMatchObject({ status: 'DONE', error: null })
  expect(await rowsOf(to)).toEqual(['1 Ann', '2 Dan', '3 Bob'])
  expect(await namesOf(to)).toEqual(['Ann', 'Dan', 'Bob'])
  expect(await plan(to, other)).toMatchObject({ totalSteps: 0 })

  await send(from, 'PATCH', '/api/entities/Customer/2', { name: 'Rob' })
  const later = await promote(to, other)
  expect(await rowsOf(to)).toEqual(['1 Ann', '2 Dan', '3 Rob'])
  await undo(to, later.id)
  expect(await undo(to, done.id)).toMatchObject({ status: 'UNDONE' })
  expect([await rowsOf(to), await namesOf(to)]).toEqual(before)
}, 300_000)
