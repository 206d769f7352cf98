import { expect, test } from 'vitest'
import {
  changesOf,
  cursorOfNow,
  deps,
  keyOf,
} from '@/app/api/entities/[entityName]/changes/testing/followed'
import { currentActor } from '@/lib/auth/load-actor'
import { AppError } from '@/lib/errors'
import { watchChanges } from '@/lib/events/follow-changes'

test('a stream in which nothing happens says from time to time from where to go on', async () => {
  const since = await cursorOfNow()
  const headers = new Headers(await keyOf(['ADMIN']))
  const caller = async () => {
    const actor = await currentActor({ headers }, deps)
    if (actor) return actor
    throw new AppError('unauthenticated', '')
  }
  const following = { since, limit: 100, many: 'count', filter: '', entityNames: ['Book'], caller }
  const client = new AbortController()
  const stream = watchChanges(deps, { ...following, many: 'count' }, client.signal, 0)
  const { value } = await stream.next()
  expect(value).toMatchObject({ changes: [], more: false })
  expect((await changesOf(`since=${value?.cursor}`)).status).toBe(200)
  client.abort()
})
