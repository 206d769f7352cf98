import { describe, expect, test } from 'vitest'
import { userTokens } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { readInbox } from '@/lib/testing/inbox'
import { call, testKey } from '@/lib/testing/request'
import * as init from './init/route'
import { ANN, create, created, PASSWORD } from './testing/users'

const deps = freshDeps()

describe('creating a user', () => {
  test('a taken email is a conflict (case-insensitive), and leaves nothing behind', async () => {
    await created()
    const response = await create({ ...ANN, email: 'ANN@EXAMPLE.COM', password: PASSWORD })
    expect(response).toMatchObject({
      status: 409,
      body: { code: 409, error: 'A user with this e-mail already exists' },
    })
    expect(await readInbox(deps)).toHaveLength(1)
  })

  test('of fifty concurrent requests one succeeds, the rest are conflicts', async () => {
    const key = await testKey(deps, ['ADMIN'])
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        call(deps, init.POST, {
          method: 'POST',
          path: '/api/users/init?generatePassword=true',
          headers: { authorization: `Bearer ${key}` },
          body: { ...ANN, email: n % 2 ? ANN.email : ANN.email.toUpperCase() },
        }),
      ),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(49).fill(409)])
    expect(await readInbox(deps)).toHaveLength(1)
    expect(await deps.db.select().from(userTokens)).toHaveLength(1)
  })
})
