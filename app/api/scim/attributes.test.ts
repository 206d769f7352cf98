import { beforeEach, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { ScimClient } from './testing/scim'

const deps = freshDeps()
let client: ScimClient
beforeEach(async () => {
  client = await ScimClient.start(deps)
})

test('what is asked for is returned, and nothing else', async () => {
  const id = await client.createUser('jane@e.org', {
    name: { givenName: 'J', familyName: 'D' },
    title: 'x',
  })
  const read = async (query: string) => (await client.send('GET', `Users/${id}?${query}`)).body
  expect(Object.keys(await read('attributes=userName,name.givenName'))).toEqual([
    'schemas',
    'id',
    'userName',
    'name',
  ])
  expect((await read('attributes=name.givenName')).name).toEqual({ givenName: 'J' })
  expect((await read('attributes=meta.version')).meta).toEqual({ version: expect.any(String) })
  expect(await read('excludedAttributes=title,name.familyName,id,meta')).toMatchObject({
    ...{ id, userName: 'jane@e.org', name: { givenName: 'J' } },
  })
  expect(await read('excludedAttributes=title&aadOptscim062020')).not.toHaveProperty('title')
})

test('values of an attribute are added, made the primary one, and removed by name', async () => {
  const id = await client.createUser('jane@e.org', {
    emails: [{ value: 'a@e.org', type: 'work', primary: true }],
  })
  const emails = async (operation: object) =>
    (await client.patch(`Users/${id}`, [operation])).body.emails
  const home = { value: 'b@e.org', type: 'home', primary: true }
  expect(await emails({ op: 'add', path: 'emails', value: [home] })).toEqual([
    { value: 'a@e.org', type: 'work' },
    home,
  ])
  const primary = { op: 'add', path: 'emails[type eq "work"].primary', value: 'True' }
  expect(await emails(primary)).toEqual([
    { value: 'a@e.org', type: 'work', primary: true },
    { value: 'b@e.org', type: 'home' },
  ])
  expect(await emails({ op: 'Remove', path: 'emails', value: [{ value: 'a@e.org' }] })).toEqual([
    { value: 'b@e.org', type: 'home' },
  ])
  expect(await emails({ op: 'remove', path: 'emails[type eq "home"]' })).toBeUndefined()
})
