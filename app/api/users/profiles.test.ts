import { describe, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import * as user from './[userId]/route'
import * as init from './init/route'
import * as list from './route'
import { ANN, create, find } from './testing/users'

const deps = freshDeps()

describe('the profile of a new user', () => {
  test.each([
    [{}],
    [{ name: 'Ann', tags: ['ä', '日本', '👩‍🚀'], deep: { a: [{ b: null }] }, __proto__x: 1 }],
    [{ text: 'a literal \\u0000 and \\ud800', '': 0, 'a.b': 1.5 }],
    [JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}')],
    [{ nested: Array.from({ length: 100 }).reduce((inner) => [inner], 1) }],
  ])('echoes the profile as it was sent, then and later', async (profile) => {
    const response = await create({ ...ANN, profile })
    expect(response.body.data[0].profile).toEqual(profile)
    const row = await find(ANN.email)
    expect(row?.profile).toEqual(profile)
    expect(JSON.stringify(Object.keys(row?.profile ?? {}).sort())).toBe(
      JSON.stringify(Object.keys(profile).sort()),
    )
  })

  test('keeps all digits of the numbers in the profile', async () => {
    const sent = '{"n":9007199254740993,"m":1e400,"d":0.1000000000000000055511151231257827}'
    const stored = `{"d": 0.1000000000000000055511151231257827, "m": 1${'0'.repeat(400)}, "n": 9007199254740993}`
    const body = `{"email":"ann@example.com","roles":["ADMIN"],"profile":${sent}}`
    const headers = { 'content-type': 'application/json' }
    const create_ = { method: 'POST', path: '/api/users/init', as: 'ADMIN', headers, body }
    const response = await call(deps, init.POST, create_)
    expect(response.text).toContain(`"profile":${sent}`)
    const { userId } = response.body.data[0]
    const one = { path: `/api/users/${userId}`, as: 'ADMIN', params: { userId } }
    const digits = stored.replaceAll(' ', '')
    expect((await call(deps, user.GET, one)).text).toContain(digits)
    const other = { ...one, method: 'PATCH', headers, body: '{"roles":["VIEWER"]}' }
    expect((await call(deps, user.PATCH, other)).text).toContain(digits)
    expect((await call(deps, list.GET, { path: '/api/users', as: 'ADMIN' })).text).toContain(stored)
    const changed = {
      ...one,
      method: 'PATCH',
      headers,
      body: `{"profile":{"of":[${'9'.repeat(30)}]}}`,
    }
    expect((await call(deps, user.PATCH, changed)).text).toContain(`{"of":[${'9'.repeat(30)}]}`)
    expect((await call(deps, user.GET, one)).text).toContain(`{"of":[${'9'.repeat(30)}]}`)
  })

  test.each([
    ['too many digits', '1e100000', 'A number in the profile has more than 1000 digits'],
    [
      'many long numbers',
      `[${Array(200).fill('1e900').join()}]`,
      'The profile is larger than 64 KiB',
    ],
  ])('refuses a profile with %s', async (_, value, error) => {
    const headers = { 'content-type': 'application/json' }
    const body = `{"email":"ann@example.com","roles":["ADMIN"],"profile":{"a":${value}}}`
    const sent = { method: 'POST', path: '/api/users/init', as: 'ADMIN', headers, body }
    const response = await call(deps, init.POST, sent)
    expect(response).toMatchObject({
      status: 400,
      body: { validations: [{ field: 'profile', error }] },
    })
  })
})
