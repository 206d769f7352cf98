import { describe, expect, test } from 'vitest'
import { ANN, at, guess, PASSWORD, times } from './testing/guesses'

describe('wrong passwords', () => {
  test('from anywhere are looked at a hundred times, then only known devices sign in', async () => {
    const owner = at('192.0.2.250')
    await owner.signIn(ANN, PASSWORD)
    for (const n of times(10))
      expect(await guess(at(`192.0.2.${n}`), 10)).toEqual(Array(10).fill(401))
    const refused = await at('192.0.2.99').signIn(ANN, PASSWORD)
    expect(refused).toMatchObject({
      status: 429,
      body: { error: expect.stringContaining('a browser that you have signed in with before') },
    })
    expect((await owner.signIn(ANN, PASSWORD)).status).toBe(200)
  })
})
