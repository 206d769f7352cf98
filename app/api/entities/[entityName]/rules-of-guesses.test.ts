import { expect, test } from 'vitest'
import { trashRecords } from '@/lib/db/schema'
import { testsOfCore } from '@/lib/testing/deps'
import { allow, clerk, defineOrders, deps, orders } from './testing/branches'
import { send, stored, told } from './testing/clerks'

// A clerk who may write margins but not read them, and writes the margin that the first order has already.

const guesser = async () => {
  await defineOrders({ auditable: true }, [])
  await allow({ entities: ['Order'], fields: { except: ['margin'] } })
  await allow({ entities: ['Order'], actions: ['update'] })
  return clerk()
}

const first = { margin: orders[0]?.margin }
const of = (id: number) => [{ field: 'id', operator: 'eq', value: id }]

test.skipIf(testsOfCore())('an edit does not tell of a value by whether it is kept', async () => {
  const headers = await guesser()
  const edit = async (id: number) => {
    const body = { query: of(id), set: first }
    const { batchId, ...meta } = (await send(headers, 'PATCH', '/batch?undo=7d', body)).body.meta
    return { isKept: typeof batchId === 'string', meta }
  }
  const right = await edit(1)
  expect(right).toEqual(await edit(2))
  expect(right).toEqual({ isKept: true, meta: { updated: 1, unchanged: 0 } })
  expect(await deps.db.select().from(trashRecords)).toHaveLength(2)
})

test('a change does not tell of a value by who made the last one', async () => {
  const headers = await guesser()
  for (const id of [1, 2]) {
    const { status, body } = await send(headers, 'PATCH', `/${id}`, first)
    expect([status, body.data[0].LastUpdatedBy]).toEqual([200, 'test'])
  }
  const both = [3, 4].map((id) => ({ id, margin: 3 }))
  const many = await send(headers, 'PUT', '/batch', both)
  expect(many.body.data.map((one: { LastUpdatedBy: string }) => one.LastUpdatedBy)).toEqual([
    ...['test', 'test'],
  ])
  const edit = (id: number) =>
    send(headers, 'PATCH', '/batch', { query: of(id), set: { margin: 5 } })
  expect(told(await edit(5))).toBe(told(await edit(4)))
  expect((await stored(5))?.LastUpdatedBy).toBe('test')
})

test('values that each record shows are not written again', async () => {
  const headers = await guesser()
  const { body } = await send(headers, 'PATCH', '/1', { total: 10 })
  expect(body.data[0].LastUpdatedBy).toBe(null)
  const edited = await send(headers, 'PATCH', '/batch', { query: of(2), set: { total: 20 } })
  expect(edited.body.meta).toMatchObject({ updated: 0, unchanged: 1 })
})
