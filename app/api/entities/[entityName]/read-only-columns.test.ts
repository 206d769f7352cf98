import { expect, test } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/columns/route'
import { call } from '@/lib/testing/request'
import { allow, clerk, deps } from './testing/branches'

const columns = async (headers: Record<string, string>) => {
  const path = '/api/entities/Order/columns'
  const { body } = await call(deps, GET, { path, headers, params: { entityName: 'Order' } })
  return Object.fromEntries(
    body.data.map(({ name, readOnlyFor }: { name: string; readOnlyFor?: string[] }) => [
      name,
      readOnlyFor,
    ]),
  )
}

const ORDERS = { entities: ['Order'] }

test('a column says by which actions it gets no value', async () => {
  await allow({ ...ORDERS, fields: { except: ['ownerId'] } })
  await allow({ ...ORDERS, actions: ['write'], fields: ['branch', 'total', 'id'] })
  await allow({ ...ORDERS, actions: ['update'], fields: { except: ['branch', 'note'] } })
  expect(await columns(await clerk())).toEqual({
    ...{ persistenceId: undefined, id: undefined, branch: ['update'], total: undefined },
    ...{ margin: ['write'], note: ['write', 'update'], remark: ['write'] },
  })
})

test('a field that some rows let change says nothing', async () => {
  const where = [{ field: 'branch', operator: 'eq', value: 'N1' }]
  await allow(ORDERS)
  await allow({ ...ORDERS, actions: ['update'], where })
  await allow({ ...ORDERS, actions: ['update'], fields: ['total'] })
  const found = await columns(await clerk())
  expect(Object.values(found).filter(Boolean)).toEqual([])
})

test('without the right to write nothing is said', async () => {
  await allow(ORDERS)
  expect(Object.values(await columns(await clerk())).filter(Boolean)).toEqual([])
})

test('fields that a policy sets are read only by the actions of it', async () => {
  await allow({ entities: ['Order'] })
  await allow({ entities: ['Order'], actions: ['write'], set: { ownerId: '$me' } })
  const found = await columns(await clerk())
  expect(found.ownerId).toEqual(['write'])
  expect(found.total).toBeUndefined()
  const where = [{ field: 'branch', operator: 'eq', value: '$me.profile.branch' }]
  await allow({ entities: ['Order'], actions: ['write'], where, set: { note: 'set' } })
  expect((await columns(await clerk({ branch: 'N1' }))).note).toEqual(['write'])
  expect((await columns(await clerk())).note).toBeUndefined()
})

test('a column says by which actions a policy sets it, not to what, and none of a hidden one', async () => {
  await allow({ ...ORDERS, fields: { except: ['margin'] } })
  await allow({
    ...ORDERS,
    actions: ['write'],
    set: { branch: '$me.profile.branch', margin: 5, id: 9 },
  })
  await allow({ ...ORDERS, actions: ['update'], set: { ownerId: '$me', id: 9 } })
  const path = '/api/entities/Order/columns'
  const headers = await clerk()
  const { body } = await call(deps, GET, { path, headers, params: { entityName: 'Order' } })
  const forced = body.data.flatMap(({ name, setFor }: { name: string; setFor?: string[] }) =>
    setFor ? [[name, setFor]] : [],
  )
  expect(Object.fromEntries(forced)).toEqual({
    ...{ id: ['write'], branch: ['write'], ownerId: ['update'] },
  })
})
