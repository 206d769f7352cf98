import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { users } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { GROUP, ScimClient, USER } from './testing/scim'

const deps = freshDeps({ SCIM_ROLES_MAP: '{"Test SCIMv2":"VIEWER"}' })
let okta: ScimClient
beforeEach(async () => {
  okta = await ScimClient.start(deps)
})

/** As Okta creates a user (developer.okta.com, "SCIM 2.0 protocol reference"). */
const CREATED = {
  schemas: [USER],
  userName: 'test.user@okta.local',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
}

const account = async (id: string) =>
  (await deps.db.select().from(users).where(eq(users.id, id)))[0]

describe('users as Okta sends them', () => {
  test('are created with a password that is neither kept nor returned', async () => {
    const asked = `Users?filter=${encodeURIComponent('userName eq "test.user@okta.local"')}&startIndex=1&count=100`
    expect((await okta.send('GET', asked)).body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      ...{ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
    })
    const made = await okta.send('POST', 'Users', CREATED)
    const { password: _, groups: __, ...kept } = CREATED
    expect(made).toMatchObject({ status: 201, body: kept })
    expect(made.text).not.toContain('1mz050nq')
    expect(JSON.stringify(await account(made.body.id))).not.toContain('1mz050nq')
    expect((await okta.send('GET', `Users/${made.body.id}`)).body).toEqual(made.body)
    expect((await okta.send('GET', asked)).body.Resources).toEqual([made.body])
  })

  test('are read, replaced as a whole, deactivated and activated', async () => {
    const { id } = (await okta.send('POST', 'Users', CREATED)).body
    const { body: read } = await okta.send('GET', `Users/${id}`)
    const replaced = { ...read, name: { familyName: 'User', givenName: 'Another', middleName: '' } }
    const put = await okta.send('PUT', `Users/${id}`, { ...replaced, displayName: 'Another User' })
    expect(put).toMatchObject({ status: 200, body: { name: { givenName: 'Another' } } })
    expect(put.body.name).not.toHaveProperty('middleName')
    expect(put.body.meta.version).not.toBe(read.meta.version)
    expect((await account(id))?.profile).toMatchObject({ name: 'Another User', locale: 'en-US' })
    const off = await okta.patch(`Users/${id}`, [{ op: 'replace', value: { active: false } }])
    expect(off).toMatchObject({ status: 200, body: { active: false } })
    expect(await account(id)).toMatchObject({ status: 'DISABLED' })
    const on = await okta.send('PUT', `Users/${id}`, { ...put.body, active: true })
    expect(on.body).toMatchObject({ active: true, displayName: 'Another User' })
    expect(await account(id)).toMatchObject({ status: 'ACTIVATED' })
  })
})

describe('groups as Okta sends them', () => {
  test('are pushed with members, renamed, replaced and removed', async () => {
    const [one, two] = [await okta.createUser('one@e.org'), await okta.createUser('two@e.org')]
    const made = await okta.send('POST', 'Groups', {
      ...{ schemas: [GROUP], displayName: 'Test SCIMv2' },
      members: [{ value: one, display: 'one@e.org' }],
    })
    expect(made).toMatchObject({ status: 201, body: { members: [{ value: one }] } })
    expect(await account(one)).toMatchObject({ roles: ['VIEWER'] })
    const { id } = made.body
    await okta.patch(`Groups/${id}`, [
      { op: 'remove', path: `members[value eq "${one}"]` },
      { op: 'add', path: 'members', value: [{ value: two, display: 'two@e.org' }] },
    ])
    const members = async () =>
      (await okta.send('GET', `Groups/${id}`)).body.members.map(
        ({ value }: { value: string }) => value,
      )
    expect(await members()).toEqual([two])
    expect([(await account(one))?.roles, (await account(two))?.roles]).toEqual([[], ['VIEWER']])
    await okta.patch(`Groups/${id}`, [{ op: 'replace', value: { id, displayName: 'Renamed' } }])
    expect(await account(two)).toMatchObject({ roles: [] })
    await okta.patch(`Groups/${id}`, [
      { op: 'replace', path: 'members', value: [{ value: one }, { value: two }] },
    ])
    expect((await members()).sort()).toEqual([one, two].sort())
    const put = { schemas: [GROUP], id, displayName: 'Test SCIMv2', members: [{ value: one }] }
    expect(await okta.send('PUT', `Groups/${id}`, put)).toMatchObject({ status: 200 })
    expect(await members()).toEqual([one])
    await okta.patch(`Groups/${id}`, [{ op: 'remove', path: 'members' }])
    expect(await members()).toEqual([])
    expect((await okta.send('DELETE', `Groups/${id}`)).status).toBe(204)
    expect((await okta.send('GET', `Groups/${id}`)).status).toBe(404)
  })
})
