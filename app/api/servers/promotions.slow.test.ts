import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { killMoments, killRounds } from '@/lib/testing/kills'
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
  undo,
} from './testing/two-servers'

servers()

let [from, to] = [] as unknown as [Server, Server]
beforeEach(async () => {
  from = await startServer()
  to = await startServer(from)
}, 300_000)

const change = (server: Server, id: string, name: string) =>
  send(server, 'PATCH', `/api/entities/Shoe/${id}`, { name })

describe('what another server has', () => {
  test('is tested, planned, brought here and undone, without its key being told', async () => {
    await fill(from, 50)
    const id = await add(to, from)
    const tested = await send(to, 'POST', `/api/servers/${id}/test`)
    expect(tested).toEqual([
      { version: expect.any(String), address: expect.any(String), entities: ['Shoe'] },
    ])
    const listed = await ask(to, 'GET', '/api/servers')
    expect(listed.text).not.toContain(from.key)
    const before = await stateOf(to)
    const planned = await plan(to, id)
    expect(planned).toMatchObject({ status: 'PLANNED', seal: expect.any(String), totalSteps: 3 })
    expect(planned.plan).toMatchObject({
      settings: [
        { change: 'create', name: 'role Clerk' },
        { change: 'create', name: 'policy Clerks read' },
      ],
      conflictCount: 0,
    })
    const [plugin] = planned.plan?.plugins ?? []
    expect(plugin?.files.find(({ target }) => target === 'Shoe')?.created).toBe(50)
    expect(await stateOf(to)).toEqual(before)
    expect((await start(to, planned)).status).toBe(202)
    const done = await settled(to, planned.id)
    expect(done).toMatchObject({ status: 'DONE', error: null, doneSteps: 3 })
    expect(await stateOf(to)).toEqual(await stateOf(from))
    expect((await plan(to, id)).totalSteps).toBe(0)
    expect(await undo(to, planned.id)).toMatchObject({ status: 'UNDONE', error: null })
    expect(await stateOf(to)).toEqual(before)
    const audit = await send(to, 'GET', '/api/entities/EngineAuditLog?size=200&sort=createdAt:desc')
    const actions = audit.map(({ action }: { action: string }) => action)
    for (const action of ['servers.create', 'promotions.start', 'promotions.undo'])
      expect(actions).toContain(action)
    expect(JSON.stringify(audit)).not.toContain(from.key)
  }, 300_000)

  test('stops before anything is written where both have changed a record, and is decided', async () => {
    await fill(from, 3)
    const id = await add(to, from)
    await promote(to, id)
    await change(from, 's1', 'Theirs')
    await change(to, 's1', 'Ours')
    const planned = await plan(to, id)
    expect(planned.plan).toMatchObject({ conflictCount: 1 })
    const conflicts = planned.plan?.plugins.flatMap(({ files }) =>
      files.flatMap((file) => file.conflicts),
    )
    expect(conflicts).toMatchObject([
      { fields: [{ field: 'name', target: '"Ours"', source: '"Theirs"' }] },
    ])
    const before = await stateOf(to)
    await start(to, planned)
    expect(await settled(to, planned.id)).toMatchObject({
      ...{ status: 'STOPPED', error: expect.stringContaining('1 in conflict'), done: [] },
    })
    expect(await stateOf(to)).toEqual(before)
    const taken = await promote(to, id, { onConflict: 'take' })
    expect(taken.status).toBe('DONE')
    expect(await stateOf(to)).toEqual(await stateOf(from))
    await undo(to, taken.id)
    expect(await stateOf(to)).toEqual(before)
  }, 300_000)

  test('comes by conditions, and is sent there', async () => {
    await fill(from, 60)
    const id = await add(to, from)
    await promote(to, id, { where: { Shoe: 'size:lt:33' } })
    const sizes = (await stateOf(to)).shoes.map(({ size }: { size: number }) => size)
    expect(new Set(sizes)).toEqual(new Set([30, 31, 32]))
    expect(sizes).toHaveLength(9)
    await send(to, 'POST', '/api/entities/Shoe', { id: 'new', name: 'New', size: 40 })
    await change(to, 's0', 'Renamed')
    const sent = await promote(to, id, { direction: 'push', onConflict: 'take' })
    expect(sent).toMatchObject({ status: 'DONE', error: null })
    const there = (await stateOf(from)).shoes
    expect(there).toHaveLength(61)
    expect(there).toContainEqual({ id: 's0', name: 'Renamed', size: 30 })
    await undo(to, sent.id)
    expect((await stateOf(from)).shoes).toHaveLength(60)
  }, 300_000)

  test('is not carried out by another plan, nor two at once, nor with a key that is refused', async () => {
    await fill(from, 400)
    const id = await add(to, from)
    const old = await plan(to, id)
    await send(from, 'POST', '/api/roles', { name: 'Late', label: 'Late' })
    await start(to, old)
    expect(await settled(to, old.id)).toMatchObject({
      ...{ status: 'STOPPED', error: expect.stringContaining('no longer holds'), done: [] },
    })
    const planned = await plan(to, id)
    expect((await start(to, old)).status).toBe(409)
    const [one, two] = await Promise.all([start(to, planned), start(to, planned)])
    expect([one.status, two.status].sort()).toEqual([202, 409])
    const other = await ask(to, 'POST', `/api/promotions/${old.id}/undo`)
    expect([other.status, other.body.error]).toEqual([409, expect.stringContaining('Another')])
    expect((await settled(to, planned.id)).status).toBe('DONE')
    await send(to, 'PATCH', `/api/servers/${id}`, { key: 'eng_wrong' })
    const refused = await ask(to, 'POST', `/api/servers/${id}/test`)
    expect([refused.status, refused.body.error]).toEqual([502, 'Other refuses the API key'])
    const moved = await ask(to, 'PATCH', `/api/servers/${id}`, { url: 'https://example.com' })
    expect([moved.status, moved.body.validations[0].field]).toEqual([400, 'key'])
    const inside = { name: 'Inside', url: 'http://127.0.0.1:1', key: 'eng_key' }
    expect((await ask(to, 'POST', '/api/servers', inside)).status).toBe(400)
  }, 300_000)

  const KILLS = killRounds(1, 10)
  test(`is completed, or undone, by a server that was killed, ${KILLS} times`, async () => {
    await fill(from, 600)
    const id = await add(to, from)
    const before = await stateOf(to)
    const startedAt = performance.now()
    const whole = await promote(to, id)
    const ms = performance.now() - startedAt
    const after = await stateOf(to)
    await undo(to, whole.id)
    const moment = killMoments('other servers')
    for (let kill = 0; kill < KILLS; kill++) {
      const planned = await plan(to, id)
      await start(to, planned)
      await delay(moment() * ms)
      await to.kill()
      to = await startServer(from, to.home)
      const done = await settled(to, planned.id)
      expect(done).toMatchObject({ status: 'DONE', error: null })
      expect(await stateOf(to)).toEqual(after)
      await undo(to, planned.id)
      expect(await stateOf(to)).toEqual(before)
    }
  }, 900_000)
})
