import { describe, expect, test } from 'vitest'
import { users } from '@/lib/db/schema'
import { ANN, at, deps, guess, HASH, PASSWORD, times } from './testing/guesses'

describe('wrong passwords', () => {
  test('from the address of a known device do not lock that device out', async () => {
    const owner = at('192.0.2.1')
    expect((await owner.signIn(ANN, PASSWORD)).status).toBe(200)
    await owner.signOut()
    await guess(at('192.0.2.1'), 10)
    for (const n of times(20)) await at('192.0.2.1').signIn(`user${n}@example.com`, 'wrong')
    expect((await at('192.0.2.1').signIn('other@example.com', PASSWORD)).status).toBe(429)
    expect((await owner.signIn(ANN, PASSWORD)).status).toBe(200)
  })

  test('on a known device are counted for that device, wherever it is', async () => {
    const owner = at('192.0.2.1')
    await owner.signIn(ANN, PASSWORD)
    expect(await guess(owner, 10)).toEqual(Array(10).fill(401))
    expect((await owner.copy('192.0.2.2').signIn(ANN, PASSWORD)).status).toBe(429)
    expect((await at('192.0.2.2').signIn(ANN, PASSWORD)).status).toBe(200)
  })

  test('of one account do not make use of a device that knows another', async () => {
    await deps.db.insert(users).values({
      ...{ email: 'eve@example.com', passwordHash: HASH, roles: ['VIEWER'], status: 'ACTIVATED' },
    })
    const eve = at('192.0.2.1')
    await eve.signIn('eve@example.com', PASSWORD)
    await guess(eve, 10)
    expect((await eve.signIn(ANN, PASSWORD)).status).toBe(429)
  })
})
