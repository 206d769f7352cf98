import { afterAll, expect, test } from 'vitest'
import { forwardingServer, isInstall } from '@/lib/testing/forwarding-server'
import {
  add,
  ask,
  fill,
  plan,
  promote,
  type Server,
  send,
  servers,
  settled,
  start,
  startServer,
  stateOf,
} from './testing/two-servers'

servers()
const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

const laces = {
  plugin: 'local.laces',
  entities: [{ name: 'Lace', pks: [{ key: 'id', strategy: 'Fixed', type: 'string' }] }],
  schemas: [
    {
      name: 'Lace',
      properties: [
        { name: 'id', type: 'string' },
        { name: 'color', type: 'string' },
      ],
    },
  ],
}

test('what others have changed at the target while the promotion was stopped is refused by name, and it is taken back', async () => {
  const there = await startServer()
  let installs = 0
  let killed: Promise<void> | null = null
  let here = {} as Server
  const before = await forwardingServer(there.url, {
    // The second one is asked for by a server that has died meanwhile.
    before: async (path) => {
      if (!isInstall(path) || ++installs < 4) return
      killed ??= here.kill()
      throw new Error('Its sender was killed')
    },
  })
  closing.push(before.close)
  here = await startServer({ ...there, url: before.url })
  await fill(here, 5)
  await send(here, 'POST', '/api/model/apply', laces)
  await send(here, 'POST', '/api/entities/Lace', { id: 'a', color: 'red' })
  await send(here, 'POST', '/api/entities/Lace', { id: 'b', color: 'red' })
  const id = await add(here, { ...there, url: before.url })
  const push = { direction: 'push' }
  expect(await promote(here, id, push)).toMatchObject({ status: 'DONE', error: null })

  await send(here, 'PATCH', '/api/entities/Lace/a', { color: 'blue' })
  await send(here, 'PATCH', '/api/entities/Shoe/s1', { name: 'Newer' })
  await send(here, 'PATCH', '/api/roles/Clerk', { label: 'Newer' })
  const planned = await plan(here, id, push)
  await start(here, planned)
  await expect.poll(() => killed !== null, { timeout: 60_000 }).toBe(true)
  await killed
  const isInstalled = async (path: string) =>
    JSON.stringify((await ask(there, 'GET', path)).body.data)
  const states = () =>
    Promise.all(['/api/entities/Lace/a', '/api/entities/Shoe/s1'].map(isInstalled))
  expect((await states()).filter((text) => /blue|Newer/.test(text))).toHaveLength(1)
  await send(there, 'PATCH', '/api/entities/Lace/b', { color: 'green' })
  await send(there, 'PATCH', '/api/entities/Shoe/s2', { name: 'Green' })
  await send(there, 'PATCH', '/api/roles/Clerk', { label: 'Green' })

  installs = -Infinity
  here = await startServer({ ...there, url: before.url }, here.home)
  const stopped = await settled(here, planned.id)
  expect(stopped).toMatchObject({ status: 'STOPPED', done: [] })
  expect(stopped.error).toMatch(
    /has changed since: plugins\/local\.(laces\/Lace|model\/Shoe)\/data\.json, role Clerk/,
  )
  expect((await states()).filter((text) => /blue|Newer/.test(text))).toEqual([])
  const { shoes } = await stateOf(there)
  expect(shoes).toContainEqual(expect.objectContaining({ id: 's2', name: 'Green' }))
  expect((await promote(here, id, { ...push, onConflict: 'take' })).status).toBe('DONE')
}, 300_000)
