import { describe, expect, test } from 'vitest'
import { call } from '@/lib/testing/request'
import { ASYNC, deps, readAll, THINGS, things, watch } from '../../../testing/event-streams'
import { historyOf, install, logsOf, upload } from '../../../testing/plugin-api'
import { GET } from './route'

const FEW_THINGS = things(12)

describe('GET /api/plugins/history/:id/events', () => {
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
    const { body, logs } = await install(deps, FEW_THINGS)
    const events = await readAll((await watch(body.data.history)).read)
    expect(events.map(({ event }) => event)).toEqual([...logs.map(() => 'file'), 'result'])
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
