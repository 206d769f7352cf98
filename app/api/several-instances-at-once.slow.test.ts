import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { testsOnPostgres } from '@/lib/testing/deps'
import { Instances, KEY } from './testing/instances'

const RECORDS = 50
const FIXED = [{ key: 'id', strategy: 'Fixed', type: 'number' }]

/** A plugin that defines the entity and gives it records, which name the plugin and its version. */
function giving(entity: string, id: string, version: string) {
  const data = Array.from({ length: RECORDS }, (_, n) => ({ id: n, from: `${id} ${version}` }))
  return pluginFiles(
    {
      EngineEntities: { files: { 'E.json': { name: entity, pks: FIXED } } },
      [entity]: {
        manifest: { target: entity, insertDuplicate: 'Upsert' },
        files: { 'data.json': data },
      },
    },
    { id: `com.example.${id}`, version },
  )
}

describe.runIf(testsOnPostgres())('two instances that are asked for the same at once', () => {
  const instances = new Instances().start(async () => ({ INSTALL_WAIT_MS: '600000' }))
  const times = <T>(count: number, work: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)))
  const page = async (entity: string) =>
    (await instances.send({ path: `/api/entities/${entity}?size=1000`, key: KEY })).body

  /** All records are those of one install. */
  async function expectOneWhole(entity: string): Promise<void> {
    const { data, pagination } = await page(entity)
    expect(pagination.total).toBe(RECORDS)
    expect(new Set(data.map(({ from }: { from: string }) => from)).size).toBe(1)
  }

  test('carry out ten installs of one plugin one after the other, each in whole', async () => {
    const replies = await times(10, (n) =>
      instances.upload(n, giving('Thing', 'things', `1.0.${n}`)),
    )
    for (const { status, body } of replies)
      expect([status, body.data?.failedCount], JSON.stringify(body)).toEqual([200, 0])
    await expectOneWhole('Thing')
    const [{ from }] = (await page('Thing')).data
    const [plugin] = (await instances.ask(0, 'GET', '/api/plugins/com.example.things')).body.data
    expect(from).toBe(`things ${plugin.version}`)
  })

  test('make one entity of five plugins that define it', async () => {
    const replies = await times(5, (n) =>
      instances.upload(n, giving('Shared', `shared${n}`, '1.0.0')),
    )
    for (const { status, body } of replies)
      expect([status, body.data?.failedCount], JSON.stringify(body)).toEqual([200, 0])
    await expectOneWhole('Shared')
    const { data } = (await instances.ask(1, 'GET', '/api/plugins?size=100')).body
    const named = JSON.stringify(data).match(/"com\.example\.shared\d"/g)
    expect(new Set(named)).toHaveProperty('size', 5)
  })

  test('create one record of fifty with the same key', async () => {
    await instances.install(0, giving('Single', 'single', '1.0.0'))
    const body = (n: number) => ({ id: 1_000, from: String(n) })
    const replies = await times(50, (n) =>
      instances.ask(n, 'POST', '/api/entities/Single', body(n)),
    )
    const statuses = replies.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(49).fill(409)])
    const made = replies.find(({ status }) => status === 201)
    const stored = (await instances.ask(1, 'GET', '/api/entities/Single/1000')).body.data[0]
    expect(stored.from).toBe(made?.body.data[0].from)
  })
})
