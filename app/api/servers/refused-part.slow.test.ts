import { expect, test } from 'vitest'
import {
  add,
  fill,
  plan,
  promote,
  send,
  servers,
  settled,
  start,
  startServer,
  stateOf,
} from './testing/two-servers'

servers()

const laces = {
  plugin: 'local.laces',
  entities: [{ name: 'Lace', pks: [{ key: 'id', strategy: 'Fixed', type: 'string' }] }],
  schemas: [
    {
      name: 'Lace',
      properties: [
        { name: 'id', type: 'string' },
        { name: 'code', type: 'string', unique: true },
      ],
    },
  ],
}

test('where the target refuses a part, what was done of the others is taken back by itself', async () => {
  const from = await startServer()
  const to = await startServer(from)
  await fill(from, 5)
  await send(from, 'POST', '/api/model/apply', laces)
  const id = await add(to, from)
  expect((await promote(to, id)).status).toBe('DONE')
  await send(from, 'PATCH', '/api/entities/Shoe/s1', { name: 'Newer' })
  await send(from, 'POST', '/api/entities/Lace', { id: 'a', code: '1' })
  await send(from, 'PATCH', '/api/roles/Clerk', { label: 'Newer' })
  await send(to, 'POST', '/api/entities/Lace', { id: 'b', code: '1' })
  const before = JSON.stringify(await stateOf(to))

  const planned = await plan(to, id)
  expect(planned.plan?.plugins.map(({ failed }) => failed > 0).sort()).toEqual([false, true])
  await start(to, planned)
  expect(await settled(to, planned.id)).toMatchObject({
    ...{ status: 'STOPPED', done: [], doneSteps: 0 },
    error: expect.stringContaining('local.laces'),
  })
  const history = await send(to, 'GET', '/api/plugins/history?sort=id:desc&size=2')
  expect(history.map(({ kind }: { kind: string }) => kind)).toEqual(['rollback', 'install'])
  expect(JSON.stringify(await stateOf(to))).toBe(before)

  await send(to, 'DELETE', '/api/entities/Lace/b')
  expect(await promote(to, id)).toMatchObject({ status: 'DONE', error: null })
  expect((await stateOf(to)).shoes).toEqual((await stateOf(from)).shoes)
}, 300_000)
