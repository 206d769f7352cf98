import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { changeScimGroup } from '@/lib/scim/change-groups'
import { createScimUser } from '@/lib/scim/change-users'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'
import { secondInstance } from '@/lib/testing/second-instance'
import { ScimClient } from './testing/scim'
import { rowsOfScim, synchronise } from './testing/synchronise'

const deps = freshDeps({ SCIM_ROLES_MAP: '{"Group 1*":"EDITOR","Group*":"VIEWER"}' })
let client: ScimClient
beforeEach(async () => {
  client = await ScimClient.start(deps)
})

test('a second synchronisation changes no row', async () => {
  await synchronise(client, 2)
  const first = await rowsOfScim(deps)
  expect(first.length).toBeGreaterThan(60)
  await synchronise(client, 2)
  expect(await rowsOfScim(deps)).toEqual(first)
})

describe('several at once', () => {
  test('lose no members', async () => {
    const group = await client.createGroup('Group 1')
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, n) => client.createUser(`user${n}@e.org`)),
    )
    await Promise.all(
      ids.map((value) =>
        client.patch(`Groups/${group}`, [{ op: 'add', path: 'members', value: [{ value }] }]),
      ),
    )
    const { members } = (await client.send('GET', `Groups/${group}`)).body
    expect(members.map(({ value }: { value: string }) => value)).toEqual([...ids].sort())
  })

  test('make one account of one name', async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => client.send('POST', 'Users', { userName: 'jane@e.org' })),
    )
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
  })

  test.runIf(testsOnPostgres())('on two instances of one database, too', async () => {
    const group = await client.createGroup('Group 1')
    const { other, close } = await secondInstance(deps)
    const request = { actor: null, rolesMap: deps.settings.SCIM_ROLES_MAP, ifMatch: null, base: '' }
    try {
      const make = async (n: number) => {
        const on = n % 2 ? other : deps
        const { id } = await createScimUser(on, { userName: `user${n}@e.org` }, request)
        const value = [{ value: id as string }]
        const body = { Operations: [{ op: 'add', path: 'members', value }] }
        await changeScimGroup(n % 2 ? deps : other, group, body, request)
      }
      await Promise.all(Array.from({ length: 20 }, (_, n) => make(n)))
      expect((await client.send('GET', `Groups/${group}`)).body.members).toHaveLength(20)
      const lacking = sql`select id::text from engine.users where roles <> array['EDITOR', 'VIEWER']`
      expect(await rows(deps.db, lacking)).toEqual([])
    } finally {
      await close()
    }
  })
})
