import { beforeEach, expect, test } from 'vitest'
import { users } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { ScimClient, USER } from './testing/scim'

const deps = freshDeps()
let client: ScimClient
beforeEach(async () => {
  client = await ScimClient.start(deps)
})

const refused = (status: number, scimType?: string) => ({
  status,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    ...{ status: String(status), detail: expect.any(String) },
    ...(scimType ? { scimType } : {}),
  },
})

test.each<[string, unknown, string]>([
  ['no userName', {}, 'invalidValue'],
  ['a userName that is no email', { userName: 'jane' }, 'invalidValue'],
  ['a userName that is a number', { userName: 7 }, 'invalidValue'],
  ['a name that is a text', { userName: 'a@e.org', name: 'Jane' }, 'invalidValue'],
  ['a title that is a list', { userName: 'a@e.org', title: ['x', 'y'] }, 'invalidValue'],
  ['an activity that is a number', { userName: 'a@e.org', active: 1 }, 'invalidValue'],
  ['a word for an activity', { userName: 'a@e.org', active: 'yes' }, 'invalidValue'],
  ['a text that cannot be stored', { userName: 'a@e.org', title: 'a\u0000b' }, 'invalidValue'],
  ['half a character', { userName: 'a@e.org', title: '\ud800' }, 'invalidValue'],
  ['a long text', { userName: 'a@e.org', title: 'x'.repeat(1_001) }, 'invalidValue'],
  ['emails that are numbers', { userName: 'a@e.org', emails: [1, 2] }, 'invalidValue'],
  ['emails within emails', { userName: 'a@e.org', emails: [[['a']]] }, 'invalidValue'],
  [
    'too many emails',
    { userName: 'a@e.org', emails: Array(101).fill({ value: 'x' }) },
    'invalidValue',
  ],
  [
    'two primary emails',
    {
      userName: 'a@e.org',
      emails: [
        { value: 'x', primary: true },
        { value: 'y', primary: true },
      ],
    },
    'invalidValue',
  ],
  ['a list', [], 'invalidSyntax'],
  ['a text', 'x', 'invalidSyntax'],
])('a user with %s is refused', async (_, body, scimType) => {
  expect(await client.send('POST', 'Users', body)).toMatchObject(refused(400, scimType))
  expect(await deps.db.select().from(users)).toEqual([])
})

test('attributes of other names and of prototypes are ignored', async () => {
  const body =
    '{"userName":"a@e.org","__proto__":{"active":false},"constructor":1,"roles":["ADMIN"],"status":"x"}'
  const made = await client.send('POST', 'Users', JSON.parse(body))
  expect(made).toMatchObject({ status: 201, body: { active: true } })
  expect(made.body).not.toHaveProperty('roles')
  expect(await deps.db.select().from(users)).toMatchObject([{ roles: [] }])
})

test.each<[string, unknown, string]>([
  ['no operations', {}, 'invalidSyntax'],
  ['operations that are an object', { Operations: {} }, 'invalidSyntax'],
  ['an empty list', { Operations: [] }, 'invalidSyntax'],
  [
    'too many',
    { Operations: Array(1_001).fill({ op: 'add', path: 'title', value: 'x' }) },
    'invalidSyntax',
  ],
  [
    'an unknown operation',
    { Operations: [{ op: 'move', path: 'title', value: 'x' }] },
    'invalidSyntax',
  ],
  ['no path and no object', { Operations: [{ op: 'add', value: 'x' }] }, 'invalidSyntax'],
  ['a removal without a path', { Operations: [{ op: 'remove' }] }, 'noTarget'],
  ['an unknown path', { Operations: [{ op: 'add', path: 'nope', value: 'x' }] }, 'invalidPath'],
  [
    'an unknown name in a value',
    { Operations: [{ op: 'add', value: { nope: 1 } }] },
    'invalidPath',
  ],
  [
    'a path of prototypes',
    { Operations: [{ op: 'add', path: '__proto__.x', value: 'x' }] },
    'invalidPath',
  ],
  ['a password', { Operations: [{ op: 'replace', path: 'password', value: 'x' }] }, 'invalidPath'],
  [
    'a path with an open bracket',
    { Operations: [{ op: 'add', path: 'emails[type eq "x"', value: 'x' }] },
    'invalidPath',
  ],
  [
    'a long path',
    { Operations: [{ op: 'add', path: 'x'.repeat(1_001), value: 'x' }] },
    'invalidPath',
  ],
  [
    'a filter of one value',
    { Operations: [{ op: 'add', path: 'title[type eq "x"]', value: 'x' }] },
    'invalidPath',
  ],
  [
    'an unknown part in a filter',
    { Operations: [{ op: 'add', path: 'emails[nope eq "x"].value', value: 'x' }] },
    'invalidFilter',
  ],
  [
    'a filter that no value meets',
    { Operations: [{ op: 'replace', path: 'emails[type co "x"].value', value: 'x' }] },
    'noTarget',
  ],
  ['the id', { Operations: [{ op: 'replace', path: 'id', value: 'x' }] }, 'mutability'],
  ['groups', { Operations: [{ op: 'add', path: 'groups', value: [] }] }, 'mutability'],
  ['no userName left', { Operations: [{ op: 'remove', path: 'userName' }] }, 'invalidValue'],
  [
    'a userName that is no email',
    { Operations: [{ op: 'replace', path: 'userName', value: 'x' }] },
    'invalidValue',
  ],
  [
    'a value of another type',
    { Operations: [{ op: 'replace', path: 'active', value: { a: 1 } }] },
    'invalidValue',
  ],
])('a change with %s is refused, wholly', async (_, body, scimType) => {
  const id = await client.createUser('jane@e.org')
  const before = await deps.db.select().from(users)
  const { Operations, ...rest } = body as { Operations?: unknown }
  const first = { op: 'replace', path: 'displayName', value: 'Changed' }
  const all =
    Array.isArray(Operations) && Operations.length === 1 ? [first, ...Operations] : Operations
  const sent = { ...rest, ...(all === undefined ? {} : { Operations: all }) }
  expect(await client.send('PATCH', `Users/${id}`, sent)).toMatchObject(refused(400, scimType))
  expect(await deps.db.select().from(users)).toEqual(before)
})

test.each<[string, object, string]>([
  ['no name', { members: [] }, 'invalidValue'],
  ['a long name', { displayName: 'x'.repeat(257) }, 'invalidValue'],
  [
    'a member that is no id',
    { displayName: 'x', members: [{ value: "' or 1=1" }] },
    'invalidValue',
  ],
  [
    'an unknown member',
    { displayName: 'x', members: [{ value: crypto.randomUUID() }] },
    'invalidValue',
  ],
  [
    'a group as a member',
    { displayName: 'x', members: [{ value: crypto.randomUUID(), type: 'Group' }] },
    'invalidValue',
  ],
  ['members that are numbers', { displayName: 'x', members: [1] }, 'invalidValue'],
])('a group with %s is refused', async (_, body, scimType) => {
  expect(await client.send('POST', 'Groups', body)).toMatchObject(refused(400, scimType))
  expect((await client.send('GET', 'Groups')).body.totalResults).toBe(0)
})

test('a list of members that is too long, and a body that is too large, are refused', async () => {
  const id = await client.createGroup('x')
  const members = Array(20_001).fill('1')
  const add = [{ op: 'add', path: 'members', value: members }]
  expect(await client.patch(`Groups/${id}`, add)).toMatchObject(refused(413))
  const large = { userName: 'a@e.org', title: 'x'.repeat(1024 * 1024) }
  expect(await client.send('POST', 'Users', large)).toMatchObject(refused(413))
})

test('a change that grows a list beyond its limit is refused at once', async () => {
  const id = await client.createUser('a@e.org')
  const add = (from: string) => ({
    ...{ op: 'add', path: 'emails' },
    value: Array.from({ length: 100 }, (_, at) => ({ value: `${from}${at}@e.org` })),
  })
  const operations = [add('a'), add('b'), { op: 'remove', path: 'emails' }]
  const sent = client.patch(`Users/${id}`, operations)
  expect(await sent).toMatchObject(refused(400, 'invalidValue'))
})

test('a change of a group that goes through all members often is refused', async () => {
  const member = await client.createUser('a@e.org')
  const id = await client.createGroup('x', [member])
  const removals = (path: string, count: number) =>
    client.patch(`Groups/${id}`, Array(count).fill({ op: 'remove', path }))
  const others = 'members[value eq "1" or value eq "2"]'
  expect(await removals(others, 21)).toMatchObject(refused(400, 'tooMany'))
  expect((await removals(others, 20)).status).toBe(204)
  expect((await client.send('GET', `Groups/${id}`)).body.members).toHaveLength(1)
  const own = `members[VALUE eq "${member.toUpperCase()}"]`
  expect((await removals(own, 21)).status).toBe(204)
  expect((await client.send('GET', `Groups/${id}`)).body.members).toEqual([])
})

test.each([
  ['nested deeply', `${'('.repeat(1_000)}userName pr${')'.repeat(1_000)}`],
  ['nested in negations', `${'not ('.repeat(500)}userName pr${')'.repeat(500)}`],
  ['of many comparisons', Array(101).fill('userName pr').join(' or ')],
  ['long', `userName eq "${'x'.repeat(4_000)}"`],
  ['of an open text of lines', `userName eq "${'\n'.repeat(3_000)}`],
  ['of backslashes', `userName eq "${'\\'.repeat(3_001)}`],
])('a filter that is %s is refused', async (_, filter) => {
  expect(await client.find('Users', filter)).toMatchObject(refused(400, 'invalidFilter'))
})

test('ids that are none are not found', async () => {
  for (const path of [
    'Users/7',
    "Groups/'",
    `Users/${crypto.randomUUID()}`,
    `Groups/${crypto.randomUUID()}`,
  ]) {
    expect(await client.send('GET', path)).toMatchObject(refused(404))
    expect(await client.send('DELETE', path)).toMatchObject(refused(404))
    expect(await client.send('PUT', path, { userName: 'a@e.org', displayName: 'x' })).toMatchObject(
      refused(404),
    )
  }
})

test('a body of another type or of broken JSON is refused in the form of SCIM', async () => {
  const other = { 'content-type': 'text/plain' }
  expect(await client.send('POST', 'Users', { schemas: [USER] }, other)).toMatchObject(refused(415))
  const call = client.send('POST', 'Users')
  expect(await call).toMatchObject(refused(400, 'invalidSyntax'))
})
