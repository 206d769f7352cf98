import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { pluginLock } from '@/lib/installs/history-entries'
import { ASYNC, deps, readAll, THINGS, things, watch } from '../../../testing/event-streams'
import { install, upload } from '../../../testing/plugin-api'

const FEW_THINGS = things(12)

/** What is sent over the bus, as `channel payload`, and the channels that are listened to now. */
function spyOnBus() {
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
  return { published, listening }
}

describe('GET /api/plugins/history/:id/events', () => {
  test('look when the bus says so, and listen no longer than the stream lasts', async () => {
    const { published, listening } = spyOnBus()
    const lock = await deps.locks.take(pluginLock('com.example.shop'), 0)
    const { body } = await upload(deps, THINGS, ASYNC)
    const { read } = await watch(body.data.history)
    expect(await read()).toMatchObject({ event: 'progress' })
    expect(listening).toContain('engine_installs')
    await lock.release()
    expect((await readAll(read)).at(-1)).toMatchObject({ event: 'result' })
    expect(published).toContain(`engine_installs ${body.data.history}`)
    expect(listening).not.toContain('engine_installs')
  })

  test.each(['leave', 'cancel'] as const)('end for a client that disconnected (%s)', async (go) => {
    const { listening } = spyOnBus()
    const { body } = await install(deps, FEW_THINGS)
    const unfinished = sql`update engine.installs set status = 'IN_PROGRESS', completed_at = null`
    await deps.db.execute(unfinished)
    const stream = await watch(body.data.history)
    await stream.read()
    expect(listening).toContain('engine_installs')
    await stream[go]()
    // It listens until it has looked for the last time.
    await expect.poll(() => listening.has('engine_installs')).toBe(false)
    expect(
      await rows(deps.db, sql`select 1 from engine.installs where status = 'IN_PROGRESS'`),
    ).toHaveLength(1)
  })
})
