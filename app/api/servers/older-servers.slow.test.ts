import { expect, test } from 'vitest'
import { olderServer } from './testing/older-server'
import { add, fill, plan, send, servers, settled, startServer } from './testing/two-servers'

servers()

type Described = { data: { version: string; settings: Record<string, string[]> }[] }
type Schema = { definitions: { one: { properties: Record<string, unknown> } } }

test('what an older server does not know is refused by its name, before anything is written', async () => {
  const behind = await startServer()
  const missing = new Set<string>()
  const older = await olderServer(behind, (path, body) => {
    if (path === '/api/server' && missing.has('priority')) {
      const [about] = (body as unknown as Described).data
      if (!about) return
      about.version = '0.0.9'
      about.settings.policy = about.settings.policy?.filter((name) => name !== 'priority') ?? []
    }
    if (path === '/schemas/entity.json' && missing.has('history'))
      delete (body as unknown as Schema).definitions.one.properties.history
  })
  const here = await startServer(older)
  await fill(here, 5)
  const id = await add(here, older, 'Older')
  const push = { direction: 'push' }
  const refused = async () => {
    const [asked] = await send(here, 'POST', `/api/servers/${id}/plan`, push)
    return settled(here, asked.id)
  }
  missing.add('priority')
  expect(await refused()).toMatchObject({
    status: 'FAILED',
    error: expect.stringMatching(
      /version 0\.0\.9, does not know(.|\n)*policy Clerks read: priority/,
    ),
  })
  missing.clear()
  missing.add('history')
  expect((await plan(here, id, push)).status).toBe('PLANNED')
  await send(here, 'POST', '/api/model/apply', {
    entities: [
      { name: 'Shoe', history: true, pks: [{ key: 'id', strategy: 'Fixed', type: 'string' }] },
    ],
  })
  expect(await refused()).toMatchObject({
    status: 'FAILED',
    error: expect.stringMatching(/Shoe\.json: history/),
  })
  expect(older.written).toEqual([])
}, 300_000)
