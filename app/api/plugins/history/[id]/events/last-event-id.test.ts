import { describe, expect, test } from 'vitest'
import { deps, readAll, things, watch } from '../../../testing/event-streams'
import { install } from '../../../testing/plugin-api'

const FEW_THINGS = things(12)

describe('GET /api/plugins/history/:id/events', () => {
  test('continue after Last-Event-ID', async () => {
    const { body } = await install(deps, FEW_THINGS)
    const all = await readAll((await watch(body.data.history)).read)
    const last = all[9]?.id ?? ''
    const rest = await readAll((await watch(body.data.history, { 'last-event-id': last })).read)
    expect(rest).toEqual(all.slice(10))
  })

  test.each(['nonsense', '-1', '1e99', '9'.repeat(30)])(
    'with a Last-Event-ID of %s are sent, too',
    async (last) => {
      const { body } = await install(deps, FEW_THINGS)
      const events = await readAll((await watch(body.data.history, { 'last-event-id': last })).read)
      expect(events.at(-1)?.event).toBe('result')
    },
  )
})
