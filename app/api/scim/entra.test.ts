import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditLog, users } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { ENTERPRISE, GROUP, ScimClient, USER } from './testing/scim'

const deps = freshDeps({ SCIM_ROLES_MAP: '{"Engine Editors":"EDITOR","engine-*":["VIEWER"]}' })
let entra: ScimClient
beforeEach(async () => {
  entra = await ScimClient.start(deps)
})

/** As Entra ID creates a user (learn.microsoft.com, "Develop and plan provisioning for a SCIM endpoint"). */
const CREATED = {
  schemas: [USER, ENTERPRISE],
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName: 'Test_User_ab6490ee@testuser.com',
  active: true,
  emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
  meta: { resourceType: 'User' },
  name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
  roles: [],
}
const { roles: _, ...KEPT } = CREATED
const account = async (id: string) =>
  (await deps.db.select().from(users).where(eq(users.id, id)))[0]

describe('users as Entra sends them', () => {
  test('are created without a mail, active, and found by userName', async () => {
    const filter = `userName eq "${CREATED.userName}"`
    expect((await entra.find('Users', filter)).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    })
    const made = await entra.send('POST', 'Users', CREATED)
    expect(made).toMatchObject({ status: 201, body: { ...KEPT, schemas: [USER] } })
    expect(made.headers.get('content-type')).toMatch('application/scim+json')
    expect(made.headers.get('location')).toBe(made.body.meta.location)
    expect(made.headers.get('etag')).toBe(made.body.meta.version)
    expect(await account(made.body.id)).toMatchObject({
      ...{ email: CREATED.userName, roles: [], status: 'ACTIVATED', passwordHash: null },
      profile: { name: 'givenName familyName', givenName: 'givenName', familyName: 'familyName' },
    })
    const found = await entra.find(
      'Users',
      filter.toUpperCase().replace('USERNAME EQ', 'userName eq'),
    )
    expect(found.body.Resources).toEqual([made.body])
    expect(await entra.send('POST', 'Users', CREATED)).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness', status: '409' },
    })
  })

  test('are changed by paths with filters, and by words in place of booleans', async () => {
    const id = await entra.createUser('jane@example.com', {
      ...CREATED,
      userName: 'jane@example.com',
    })
    const changed = await entra.patch(`Users/${id}`, [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: '7' },
      { op: 'Replace', path: 'userName', value: 'joan@example.com' },
      { op: 'Add', path: 'active', value: 'False' },
    ])
    expect(changed).toMatchObject({
      status: 200,
      body: {
        userName: 'joan@example.com',
        active: false,
        emails: [{ primary: true, type: 'work', value: 'updatedEmail@microsoft.com' }],
        name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
        phoneNumbers: [{ type: 'mobile', value: '+1 555' }],
        [ENTERPRISE]: { department: 'Sales', manager: { value: '7' } },
      },
    })
    expect(await account(id)).toMatchObject({
      ...{ email: 'joan@example.com', status: 'DISABLED' },
      profile: { department: 'Sales', familyName: 'updatedFamilyName' },
    })
    const back = await entra.patch(`Users/${id}`, [
      { op: 'Replace', value: { active: 'True', 'name.givenName': 'Joan', displayName: 'Joan D' } },
      { op: 'Remove', path: `${ENTERPRISE}:department` },
    ])
    expect(back.body).toMatchObject({ active: true, name: { givenName: 'Joan' } })
    expect((await account(id))?.profile).toEqual({
      ...{ name: 'Joan D', givenName: 'Joan', familyName: 'updatedFamilyName' },
    })
    expect(await entra.send('DELETE', `Users/${id}`)).toMatchObject({ status: 204, text: '' })
    expect(await entra.send('GET', `Users/${id}`)).toMatchObject({
      status: 404,
      body: { status: '404' },
    })
  })

  test('are audited with SCIM as the actor', async () => {
    await entra.createUser('jane@example.com')
    expect(await deps.db.select().from(auditLog)).toMatchObject([
      { action: 'users.create', actorType: 'api_key', actorName: 'SCIM', objectType: 'user' },
    ])
  })
})

describe('groups as Entra sends them', () => {
  test('are created, renamed, get and lose members, and give roles', async () => {
    const [jane, john] = [
      await entra.createUser('jane@e.org'),
      await entra.createUser('john@e.org'),
    ]
    const made = await entra.send('POST', 'Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    })
    expect(made).toMatchObject({ status: 201, body: { displayName: 'displayName', members: [] } })
    const { id } = made.body
    const found = await entra.find(
      'Groups',
      'displayName eq "displayName"',
      '&excludedAttributes=members',
    )
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id }] })
    expect(found.body.Resources[0]).not.toHaveProperty('members')
    const add = { op: 'Add', path: 'members', value: [{ $ref: null, value: jane }] }
    expect(await entra.patch(`Groups/${id}`, [add])).toMatchObject({ status: 204, text: '' })
    await entra.patch(`Groups/${id}`, [
      add,
      { op: 'Add', path: 'members', value: [{ value: john }] },
    ])
    const members = [
      { value: jane, display: 'jane@e.org' },
      { value: john, display: 'john@e.org' },
    ]
    const read = await entra.send('GET', `Groups/${id}`)
    expect(read.body.members).toHaveLength(2)
    expect(read.body.members).toEqual(
      expect.arrayContaining(members.map((one) => expect.objectContaining(one))),
    )
    expect((await account(jane))?.roles).toEqual([])
    await entra.patch(`Groups/${id}`, [
      { op: 'Replace', path: 'displayName', value: 'Engine Editors' },
    ])
    expect((await account(jane))?.roles).toEqual(['EDITOR'])
    expect((await entra.send('GET', `Users/${jane}`)).body.groups).toEqual([
      { value: id, display: 'Engine Editors' },
    ])
    await entra.patch(`Groups/${id}`, [
      { op: 'Remove', path: 'members', value: [{ $ref: null, value: jane }] },
    ])
    await entra.patch(`Groups/${id}`, [{ op: 'remove', path: `members[value eq "${john}"]` }])
    expect((await entra.send('GET', `Groups/${id}`)).body.members).toEqual([])
    expect(await account(jane)).toMatchObject({ roles: [] })
    expect((await entra.send('DELETE', `Groups/${id}`)).status).toBe(204)
  })
})
