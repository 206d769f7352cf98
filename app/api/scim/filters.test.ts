import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { scimUsers, users } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { parseFilter } from '@/lib/scim/parse-filter'
import { userCondition } from '@/lib/scim/user-view'
import { freshDeps } from '@/lib/testing/deps'
import { addAccount, ENTERPRISE, ScimClient } from './testing/scim'

const deps = freshDeps()
let client: ScimClient
beforeEach(async () => {
  client = await ScimClient.start(deps)
})

async function addUsers() {
  await addAccount(deps, 'ann@e.org', { profile: { name: 'Ann' } })
  await client.createUser('bob@e.org', {
    ...{ externalId: 'B7', displayName: 'Bob %_', title: 'Chief' },
    emails: [
      { value: 'bob@work.org', type: 'work', primary: true },
      { value: 'bob@home.org', type: 'home' },
    ],
    name: { familyName: "O'Neil" },
    [ENTERPRISE]: { department: 'Sales', manager: { value: '42' } },
  })
  await client.createUser('cat@e.org', { active: false, displayName: 'Cat' })
}

const found = async (filter: string) => {
  const { status, body } = await client.find('Users', filter)
  if (status !== 200) return `${status} ${body.scimType}`
  expect(body.totalResults).toBe(body.Resources.length)
  return body.Resources.map(({ userName }: { userName: string }) => userName.split('@')[0]).join(
    ' ',
  )
}

test('filters of users find what they say', async () => {
  await addUsers()
  const cases: [string, string][] = [
    ['userName eq "BOB@e.org"', 'bob'],
    ['userName ne "bob@e.org"', 'ann cat'],
    ['USERNAME Sw "b"', 'bob'],
    ['userName ew ".ORG"', 'ann bob cat'],
    ['userName co "@e"', 'ann bob cat'],
    ['externalId eq "B7"', 'bob'],
    ['externalId eq "b7"', ''],
    ['externalId pr', 'bob'],
    ['not (externalId pr)', 'ann cat'],
    ['externalId eq null', 'ann cat'],
    ['active eq true', 'ann bob'],
    ['active eq "False"', 'cat'],
    ['active ne true', 'cat'],
    ['displayName co "%_"', 'bob'],
    ['displayName eq "Ann"', 'ann'],
    ['name.familyName eq "o\'neil"', 'bob'],
    ['name.familyName ne "x"', 'ann bob cat'],
    ['title pr and active eq true', 'bob'],
    ['emails.value eq "bob@home.org"', 'bob'],
    ['emails eq "bob@work.org"', 'bob'],
    ['emails[type eq "work" and value co "@work"]', 'bob'],
    ['emails[type eq "home" and value co "@work"]', ''],
    ['emails[type eq "work" and value co "@e"]', 'ann'],
    ['emails[primary eq true] and userName sw "b"', 'bob'],
    ['emails pr', 'ann bob'],
    ['phoneNumbers pr', ''],
    [`${ENTERPRISE}:department eq "sales"`, 'bob'],
    [`${ENTERPRISE}:manager eq "42"`, 'bob'],
    [`${ENTERPRISE}:manager.value eq "43"`, ''],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ann@e.org"', 'ann'],
    ['meta.lastModified gt "2020-01-01T00:00:00Z"', 'ann bob cat'],
    ['meta.created le "2020-01-01T00:00:00.5+02:00"', ''],
    ['userName eq "ann@e.org" or userName eq "cat@e.org" and active eq true', 'ann'],
    ['(userName eq "ann@e.org" or userName eq "cat@e.org") and active eq false', 'cat'],
    ['userName eq "\\u0061nn@e.org"', 'ann'],
    ['groups.value pr', ''],
  ]
  const results = await Promise.all(cases.map(async ([filter]) => [filter, await found(filter)]))
  expect(results).toEqual(cases)
})

test.each([
  ...['nope eq "x"', 'name.nope eq "x"', 'userName.x eq "y"', 'userName', 'userName eq', 'eq "x"'],
  ...[
    'userName zz "x"',
    'userName eq x',
    'userName eq "x',
    'userName eq "x" and',
    'userName eq "x")',
  ],
  ...[
    '(userName eq "x"',
    'not userName eq "x"',
    'userName eq 7',
    'active eq "x"',
    'active gt true',
  ],
  ...['userName gt "a"', 'meta.created eq "yesterday"', 'meta.created co "2020-01-01T00:00:00Z"'],
  ...[
    'meta.version eq "x"',
    'password eq "x"',
    'roles eq "x"',
    'userName[type eq "x"]',
    'emails[nope eq "x"]',
  ],
  ...[
    'emails[type eq "work"].value eq "x"',
    'meta.created gt "0000-01-01T00:00:00Z"',
    'meta.created gt "9999-12-31T23:59:59-14:00"',
    'userName eq "a\\u0000b"',
    "userName eq 'x'",
    'schemas eq "x"',
    '',
  ],
  ...['userName eq "x"; drop table users', 'passwordHash pr', '__proto__ pr', 'constructor pr'],
])('the filter %j is refused', async (filter) => {
  expect(await found(filter)).toBe('400 invalidFilter')
})

test.each([
  ['userName eq "bob@e.org"', users, 'users_email_unique'],
  ['externalId eq "B7"', scimUsers, 'scim_users_external'],
])('an index serves %s', async (filter, table, index) => {
  const plan = await deps.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    const condition = userCondition(parseFilter(filter))
    return rows<{ 'QUERY PLAN': string }>(tx, sql`explain select from ${table} where ${condition}`)
  })
  const text = plan.map((line) => line['QUERY PLAN']).join('\n')
  expect(text).toContain(index)
  expect(text).toContain('Index Cond')
})

test('groups are found by name, member and id', async () => {
  const id = await client.createUser('ann@e.org')
  const group = await client.createGroup('Editors', [id])
  await client.createGroup('Others')
  const names = async (filter: string) =>
    (await client.find('Groups', filter)).body.Resources?.map(
      ({ displayName }: { displayName: string }) => displayName,
    )
  expect(await names('displayName eq "editors"')).toEqual(['Editors'])
  expect(await names(`members eq "${id}"`)).toEqual(['Editors'])
  expect(await names(`id eq "${group}" and members[value eq "${id}"]`)).toEqual(['Editors'])
  expect(await names('not (members pr)')).toEqual(['Others'])
  expect((await client.find('Users', `groups.value eq "${group}"`)).body.totalResults).toBe(1)
  expect((await client.find('Groups', 'userName eq "x"')).body.scimType).toBe('invalidFilter')
})

describe('pages', () => {
  test('have each resource once', async () => {
    for (let n = 0; n < 7; n++) await client.createUser(`u${n}@e.org`)
    const page = async (query: string) => {
      const { body } = await client.send('GET', `Users?${query}`)
      const names = body.Resources.map(({ userName }: { userName: string }) => userName[1]).join('')
      return [body.totalResults, body.startIndex, body.itemsPerPage, names]
    }
    expect(await page('startIndex=1&count=3')).toEqual([7, 1, 3, '012'])
    expect(await page('startIndex=4&count=3')).toEqual([7, 4, 3, '345'])
    expect(await page('startIndex=7&count=3')).toEqual([7, 7, 1, '6'])
    expect(await page('startIndex=8')).toEqual([7, 8, 0, ''])
    expect(await page('startIndex=-5&count=1')).toEqual([7, 1, 1, '0'])
    expect(await page('count=0')).toEqual([7, 1, 0, ''])
    expect(await page('count=-1')).toEqual([7, 1, 0, ''])
    expect(await page('count=100000')).toEqual([7, 1, 7, '0123456'])
    expect((await client.send('GET', 'Users?count=x')).status).toBe(400)
  })
})
