import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deps } from '@/app/api/entities/[entityName]/changes/testing/followed'
import { webhooks } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import { countOutdated, encryptAgain } from '@/lib/secrets/encrypt-again'
import { secretsOf } from '@/lib/webhooks/secrets'
import { made, rotateSecret } from './testing/webhooks-api'

test('secrets of webhooks outlive the secret of the app: the present one and the former one', async () => {
  const { id } = await made('https://receiver.example.com/', { enabled: false })
  await rotateSecret(id)
  const read = async () =>
    secretsOf(deps.secret, one(await deps.db.select().from(webhooks).where(eq(webhooks.id, id))))
  const before = await read()
  expect(before).toHaveLength(2)

  const current = 'the next secret of the app, of 32 characters'
  deps.secret = { current, previous: deps.secret.current }
  expect(await read()).toEqual(before)
  expect(await countOutdated(deps)).toBe(2)
  expect(await encryptAgain(deps)).toBe(2)
  deps.secret = { current, previous: null }
  expect(await read()).toEqual(before)
})
