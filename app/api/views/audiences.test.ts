import { describe, expect, test } from 'vitest'
import { auditLog } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { call, testKey } from '@/lib/testing/request'
import type { SavedView } from '@/lib/views/contract'
import { DELETE, PATCH } from './[id]/route'
import { GET, POST } from './route'

const deps = freshDeps()
const VIEW = { entity: 'Thing', name: 'Open ones', params: 'sort=name:asc' }

/** A person with these roles; the second may not do what needs ADMIN. */
const person = async (...roles: string[]) => {
  const headers = { authorization: `Bearer ${await testKey(deps, roles)}` }
  const save = (body: object) =>
    call(deps, POST, { path: '/api/views', method: 'POST', headers, body })
  return {
    save,
    saved: async (body: object) => (await save({ ...VIEW, ...body })).body.data[0] as SavedView,
    list: async () => {
      const { body } = await call(deps, GET, { path: '/api/views?entity=Thing', headers })
      return body.data as SavedView[]
    },
    change: (id: string, body: object) =>
      call(deps, PATCH, {
        path: `/api/views/${id}`,
        method: 'PATCH',
        headers,
        body,
        params: { id },
      }),
    remove: (id: string) =>
      call(deps, DELETE, { path: `/api/views/${id}`, method: 'DELETE', headers, params: { id } }),
  }
}

const opened = async ({ list }: Awaited<ReturnType<typeof person>>) =>
  (await list()).filter(({ opens }) => opens).map(({ name }) => name)

describe('who sees a view', () => {
  test('a view of a role is seen by users with that role, also where its name ends with a sigma', async () => {
    const [owner, clerk] = [await person('ADMIN'), await person('VIEWER', 'ΥΠΑΛΛΗΛΟΣ')]
    const { id } = await owner.saved({ visibility: 'role', role: 'ΥΠΑΛΛΗΛΟΣ' })
    expect(await clerk.list()).toMatchObject([{ id }])
  })

  test('a view of a role is seen by users with that role and by managers of users', async () => {
    const [owner, clerk] = [await person('EDITOR'), await person('VIEWER', 'clerk')]
    const [other, admin] = [await person('VIEWER'), await person('ADMIN')]
    const { id, ...view } = await owner.saved({ visibility: 'role', role: 'Clerk' })
    expect(view).toMatchObject({ visibility: 'role', role: 'Clerk', shared: false })
    expect(await clerk.list()).toMatchObject([{ id, mine: false, visibility: 'role' }])
    expect(await admin.list()).toMatchObject([{ id, mine: false }])
    expect(await other.list()).toEqual([])
    expect((await other.change(id, { name: 'x' })).status).toBe(404)
    expect((await clerk.change(id, { name: 'x' })).status).toBe(403)
    expect((await clerk.remove(id)).status).toBe(403)
    expect((await admin.remove(id)).status).toBe(200)
  })

  test('`shared` and `visibility` say the same', async () => {
    const one = await person('EDITOR')
    const { id } = await one.saved({ shared: true })
    expect(await one.list()).toMatchObject([{ shared: true, visibility: 'everyone' }])
    const ofRole = await one.change(id, { role: 'Clerk', visibility: 'role' })
    expect(ofRole.body.data[0]).toMatchObject({ shared: false, role: 'Clerk' })
    const renamed = await one.change(id, { name: 'Renamed' })
    expect(renamed.body.data[0]).toMatchObject({ name: 'Renamed', role: 'Clerk' })
    const all = await one.change(id, { visibility: 'everyone' })
    expect(all.body.data[0]).toMatchObject({ shared: true, role: null })
    const none = await one.change(id, { shared: false })
    expect(none.body.data[0]).toMatchObject({ visibility: 'private', role: null })
  })

  test.each([
    ['a role without a name', { visibility: 'role' }, 'role'],
    ['a name beside another visibility', { visibility: 'everyone', role: 'Clerk' }, 'role'],
    ['two meanings', { visibility: 'private', shared: true }, 'shared'],
  ])('%s is refused', async (_, body, field) => {
    const { status, body: response } = await (await person('EDITOR')).save({ ...VIEW, ...body })
    expect(status).toBe(400)
    expect(response.validations).toEqual([expect.objectContaining({ field })])
  })
})

describe('the view that an entity opens with', () => {
  test('is the own default, which is one at a time and may be somebody else’s view', async () => {
    const [owner, other] = [await person('EDITOR'), await person('VIEWER')]
    const first = await owner.saved({ shared: true, defaultForMe: true })
    const second = await owner.saved({ name: 'Second', defaultForMe: true })
    expect(second).toMatchObject({ opens: true, defaultForMe: true })
    expect(await opened(owner)).toEqual(['Second'])
    expect(await opened(other)).toEqual([])
    const chosenByOther = await other.change(first.id, { defaultForMe: true })
    expect(chosenByOther.body.data[0]).toMatchObject({ opens: true, defaultForMe: true })
    expect((await other.change(second.id, { defaultForMe: true })).status).toBe(404)
    expect(await opened(owner)).toEqual(['Second'])
    await owner.change(second.id, { defaultForMe: false })
    expect(await opened(owner)).toEqual([])
    expect(await opened(other)).toEqual(['Open ones'])
  })

  test('is else that of a role, which only managers of users choose', async () => {
    const [admin, clerk] = [await person('ADMIN'), await person('VIEWER', 'Clerk')]
    const { id } = await admin.saved({ visibility: 'role', role: 'Clerk' })
    expect((await clerk.change(id, { defaultForRoles: ['Clerk'] })).status).toBe(403)
    const own = { ...VIEW, name: 'Own', shared: true, defaultForRoles: ['Clerk'] }
    expect((await clerk.save(own)).status).toBe(403)
    const set = await admin.change(id, { defaultForRoles: ['CLERK'] })
    expect(set.body.data[0]).toMatchObject({ defaultForRoles: ['CLERK'], opens: false })
    expect(await opened(clerk)).toEqual(['Open ones'])
    const later = await admin.saved({ name: 'Later', shared: true, defaultForRoles: ['clerk'] })
    expect(await opened(clerk)).toEqual(['Later'])
    expect((await admin.list()).map(({ defaultForRoles }) => defaultForRoles)).toEqual([
      ['clerk'],
      [],
    ])
    await clerk.change(id, { defaultForMe: true })
    expect(await opened(clerk)).toEqual(['Open ones'])
    await clerk.change(id, { defaultForMe: false })
    await admin.change(later.id, { visibility: 'role', role: 'Other' })
    expect(await opened(clerk)).toEqual([])
  })

  test('is refused for a role that does not see it', async () => {
    const admin = await person('ADMIN')
    const { id } = await admin.saved({})
    const refused = await admin.change(id, { defaultForRoles: ['VIEWER'] })
    expect(refused.status).toBe(400)
    expect(refused.body.validations).toEqual([
      expect.objectContaining({ field: 'defaultForRoles' }),
    ])
  })

  test('is in the audit log', async () => {
    const admin = await person('ADMIN')
    const { id } = await admin.saved({ shared: true })
    await admin.change(id, { defaultForRoles: ['VIEWER'] })
    const entries = await deps.db.select().from(auditLog)
    const details = entries
      .filter(({ objectId, action }) => objectId === id && action === 'views.update')
      .map((entry) => entry.details)
    expect(details).toEqual([expect.objectContaining({ defaultForRoles: ['VIEWER'] })])
  })
})
