import { expect, test } from 'vitest'
import type { Deps } from '@/lib/deps'
import { testDeps } from '@/lib/testing/deps'
import { testKey } from '@/lib/testing/request'
import { currentActor } from './actor'

test('a key is accepted when its use cannot be noted', async () => {
  const deps = await testDeps()
  const headers = new Headers({ authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` })
  let actor: unknown
  const readOnly = deps.db.transaction(
    async (tx) => {
      actor = await currentActor({ headers }, { ...deps, db: tx as unknown as Deps['db'] })
    },
    { accessMode: 'read only' },
  )
  await readOnly.catch(() => {}) // the note failed in it
  expect(actor).toMatchObject({ type: 'api_key', roles: ['ADMIN'] })
})
