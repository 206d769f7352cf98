import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { pluginLock } from '@/lib/plugins/history/locks'
import { call } from '@/lib/testing/request'
import { ASYNC, deps, readAll, THINGS, watch } from '../../../testing/event-streams'
import { historyOf, install, logsOf, upload } from '../../../testing/plugin-api'
import { GET } from './route'

describe('GET /api/plugins/history/:id/events', () => {
  test('look when the bus says so, and listen no longer than the stream lasts', async () => {
    const { bus } = deps
    const [published, listening] = [new Set<string>(), new Set<string>()]
    deps.bus = {
      publish: (channel, payload) => {
        published.add(`${channel} ${payload}`)
        return bus.publish(channel, payload)
      },
      subscribe: async (channel, listener) => {
        const stop = await bus.subscribe(channel, listener)
        listening.add(channel)
        return () => {
          listening.delete(channel)
          stop()
        }
      },
    }
    let letGo = () => {}
    const end = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const holder = deps.locks.hold(pluginLock('com.example.shop'), 0, () => end)
    const { body } = await upload(deps, THINGS, ASYNC)
    const { read } = await watch(body.data.history)
    expect(await read()).toMatchObject({ event: 'progress' })
    expect(listening).toContain('engine_installs')
    letGo()
    await holder
    expect((await readAll(read)).at(-1)).toMatchObject({ event: 'result' })
    expect(published).toContain(`engine_installs ${body.data.history}`)
    expect(listening).not.toContain('engine_installs')
  })

  test('reports every file in order as it is done, progress between, and the result last', async () => {
    const { body } = await upload(deps, THINGS, ASYNC)
    const id = body.data.history
    const { response, read } = await watch(id)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('no-store')
    const events = await readAll(read)
    const files = events.filter(({ event }) => event === 'file')
    const logs = await logsOf(deps, id)
    expect(files.map(({ data }) => data)).toEqual(logs)
    const ids = files.map((event) => Number(event.id))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    const progress = events.filter(({ event }) => event === 'progress')
    const counts = progress.map(({ data }) => Number(data.processedFiles))
    expect(counts).toEqual([...counts].sort((a, b) => a - b))
    expect(events.at(-1)).toEqual({
      id: undefined,
      event: 'result',
      data: await historyOf(deps, id),
    })
    expect(events.filter(({ event }) => event === 'result')).toHaveLength(1)
  })

  test('of a finished install are sent immediately', async () => {
    const { body, logs } = await install(deps, THINGS)
    const events = await readAll((await watch(body.data.history)).read)
    expect(events.map(({ event }) => event)).toEqual([...logs.map(() => 'file'), 'result'])
  })

  test('continue after Last-Event-ID', async () => {
    const { body } = await install(deps, THINGS)
    const all = await readAll((await watch(body.data.history)).read)
    const last = all[9]?.id ?? ''
    const rest = await readAll((await watch(body.data.history, { 'last-event-id': last })).read)
    expect(rest).toEqual(all.slice(10))
  })

  test.each(['nonsense', '-1', '1e99', '9'.repeat(30)])(
    'with a Last-Event-ID of %s are sent, too',
    async (last) => {
      const { body } = await install(deps, THINGS)
      const events = await readAll((await watch(body.data.history, { 'last-event-id': last })).read)
      expect(events.at(-1)?.event).toBe('result')
    },
  )

  test.each(['leave', 'cancel'] as const)('end for a client that disconnected (%s)', async (go) => {
    const { body } = await install(deps, THINGS)
    await deps.db.execute(
      sql`update engine.installs set status = 'IN_PROGRESS', completed_at = null`,
    )
    let looks = 0
    const { db } = deps
    deps.db = new Proxy(db, { get: (target, key) => count(Reflect.get(target, key)) })
    const count = <T>(value: T): T => {
      looks++
      return value
    }
    const stream = await watch(body.data.history)
    await stream.read()
    await stream[go]()
    let before = -1
    const isQuiet = () => {
      const isEqual = looks === before
      before = looks
      return isEqual
    }
    await expect.poll(isQuiet, { interval: 700 }).toBe(true) // it polls four times a second
    expect(
      await rows(db, sql`select 1 from engine.installs where status = 'IN_PROGRESS'`),
    ).toHaveLength(1)
  })

  test.each([
    ['an install that is unknown', '9', 'ADMIN', 404],
    ['a path that is no id', 'x', 'ADMIN', 400],
    ['no user', '9', undefined, 401],
    ['an editor', '9', 'EDITOR', 403],
  ])('for %s are refused in JSON', async (_, id, as, status) => {
    const path = `/api/plugins/history/${id}/events`
    expect(await call(deps, GET, { path, as, params: { id } })).toMatchObject({
      status,
      body: { code: status, error: expect.any(String) },
    })
  })
})
