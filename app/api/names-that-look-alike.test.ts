import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { plugins, secondFactorRoles, users } from '@/lib/db/schema'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { POST as KEYS } from './api-keys/route'
import { POST as EXPORT } from './plugins/export/route'
import { install, upload } from './plugins/testing/plugin-api'
import { PUT as SECOND_FACTOR } from './settings/second-factor/route'
import { ANN, create, created, patch } from './users/testing/users'
import { POST as VIEWS } from './views/route'

const deps = freshDeps()

const HIDDEN = 'ADMIN\u200b'
const ALIKE = [HIDDEN, 'ＡＤＭＩＮ', 'ADMıN', 'ADMİN', 'ADM1N', 'АDMIN', 'VIE\nWER', 'Cafe\u0301']

describe('names that look like others', () => {
  test('are not given to users as roles', async () => {
    for (const role of ALIKE) {
      const { status, body } = await create({ ...ANN, roles: ['VIEWER', role] })
      expect([role, status]).toEqual([role, 400])
      expect(body.validations).toEqual([{ field: 'roles.1', error: expect.any(String) }])
    }
  })

  test('a role that somebody has already stays theirs', async () => {
    const userId = await created()
    await deps.db
      .update(users)
      .set({ roles: ['EDITOR', HIDDEN] })
      .where(eq(users.id, userId))
    const { status, body } = await patch(userId, { roles: ['VIEWER', HIDDEN] })
    expect([status, body.data[0]?.roles]).toEqual([200, ['VIEWER', HIDDEN]])
    expect((await patch(userId, { roles: ['VIEWER'] })).status).toBe(200)
    const input = await patch(userId, { roles: ['VIEWER', HIDDEN] })
    expect([input.status, input.body.validations[0]?.field]).toEqual([400, 'roles.1'])
  })

  test('are names of roles that a plugin or a policy brought before, and go on to be given and named', async () => {
    const [described, named] = ['CRM менеджер', HIDDEN]
    await install(deps, pluginFiles({ ...role('Clerk'), ...policy({}) }))
    await deps.db.execute(sql`update engine.roles set name = ${described}::text`)
    await deps.db.execute(sql`update engine.policies set
      definition = definition || jsonb_build_object('principals', jsonb_build_array(${named}::text))`)
    const roles = [described, named]
    expect((await create({ ...ANN, roles })).body.data?.[0]?.roles).toEqual(roles)
    const userId = await created({ email: 'bob@example.com' })
    expect((await patch(userId, { roles })).status).toBe(200)
    const send = (handler: typeof KEYS, method: string, path: string, body: object) =>
      call(deps, handler, { method, path, as: 'ADMIN', body })
    const factor = await send(SECOND_FACTOR, 'PUT', '/api/settings/second-factor', { roles })
    expect(factor.status).toBe(200)
    const view = { entity: 'Thing', name: 'a', params: '', visibility: 'role', role: described }
    expect((await send(VIEWS, 'POST', '/api/views', view)).status).toBe(201)
    const more = policy({ name: 'Q', principals: roles })
    const { logs } = await install(deps, pluginFiles(more, { id: 'other.plugin' }))
    expect(logs).toMatchObject([{ status: 'created' }])
    const other = await create({ ...ANN, email: 'c@example.com', roles: ['CRM Менеджер'] })
    expect([other.status, other.body.validations?.[0]?.field]).toEqual([400, 'roles.0'])
  })

  test('are refused for API keys and views', async () => {
    const post = (handler: typeof KEYS, path: string, body: object) =>
      call(deps, handler, { method: 'POST', path, as: 'ADMIN', body })
    for (const name of [HIDDEN, 'Open\nones', 'Ｏpen']) {
      const key = await post(KEYS, '/api/api-keys', { name })
      expect([key.status, key.body.validations[0]?.field]).toEqual([400, 'name'])
      const view = await post(VIEWS, '/api/views', { entity: 'Thing', name, params: '' })
      expect([view.status, view.body.validations[0]?.field]).toEqual([400, 'name'])
    }
  })

  test('are not named as roles for which a second factor is required, or that see a view', async () => {
    const put = (roles: string[]) =>
      call(deps, SECOND_FACTOR, {
        ...{ method: 'PUT', path: '/api/settings/second-factor', as: 'ADMIN', body: { roles } },
      })
    const refused = await put(['Clerk', HIDDEN])
    expect([refused.status, refused.body.validations[0]?.field]).toEqual([400, 'roles.1'])
    await deps.db.insert(secondFactorRoles).values({ role: HIDDEN })
    expect((await put(['Clerk', HIDDEN])).status).toBe(200)
    const body = { entity: 'Thing', name: 'a', params: '', visibility: 'role', role: HIDDEN }
    const view = await call(deps, VIEWS, { method: 'POST', path: '/api/views', as: 'ADMIN', body })
    expect([view.status, view.body.validations[0]?.field]).toEqual([400, 'role'])
  })

  test('of every script that is used, alone or as in Japanese, are names of roles', async () => {
    const roles = [
      'Продавец',
      '営業部',
      'SAP サーバー管理',
      '영업팀',
      'کتاب‌خانه',
      'Satış',
      'ADMINS',
    ]
    expect((await create({ ...ANN, roles })).body.data[0]?.roles).toEqual(roles)
  })
})

const role = (name: string) => ({ EngineRoles: { files: { 'r.json': { name } } } })
const policy = (of: object) => ({
  EnginePolicies: {
    files: {
      'p.json': { name: 'P', principals: ['Clerk'], entities: ['*'], actions: ['read'], ...of },
    },
  },
})

describe('plugins', () => {
  test.each([
    ['a role', role(HIDDEN), 'EngineRoles/r.json'],
    ['a role like a built-in one', role('ADMıN'), 'EngineRoles/r.json'],
    ['a policy', policy({ name: 'P\u200b' }), 'EnginePolicies/p.json'],
    ['who a policy is for', policy({ principals: ['Clerk', HIDDEN] }), 'EnginePolicies/p.json'],
  ])('%s by such a name fails its file', async (_, components, path) => {
    const { logs } = await install(deps, pluginFiles(components))
    expect(logs).toMatchObject([{ path, status: 'failed', error: 'Invalid definition' }])
    const { body } = await upload(deps, pluginFiles(components), { query: '?dryRun=true' })
    expect(body.data.plan.files).toMatchObject([{ path, status: 'failed' }])
  })

  test('are refused by such a name, also before they are installed, and as new exports', async () => {
    const files = pluginFiles(role('Clerk'), { name: 'Shop\u200b' })
    const refused = { status: 400, error: expect.stringMatching(/name .*not seen/) }
    expect((await install(deps, files)).body).toEqual(refused)
    expect((await upload(deps, files, { query: '?dryRun=true' })).body).toEqual(refused)
    const body = { id: 'a.b', name: 'Shop\u200b', entities: [{ name: 'Thing' }] }
    const asked = { method: 'POST', path: '/api/plugins/export', as: 'ADMIN', body }
    expect((await call(deps, EXPORT, asked)).body.error).toMatch(/name .*not seen/)
    const russian = pluginFiles(role('Clerk'), { name: 'Магазин' })
    expect((await install(deps, russian)).body.data.pluginName).toBe('Магазин')
  })

  test('that have such names already are installed again', async () => {
    await install(deps, pluginFiles({ ...role('Clerk'), ...policy({}) }))
    await deps.db.update(plugins).set({ name: 'Shop\u200b' })
    await deps.db.execute(sql`update engine.roles set name = ${HIDDEN}::text,
      definition = definition || jsonb_build_object('name', ${HIDDEN}::text)`)
    await deps.db.execute(sql`update engine.policies set
      definition = definition || jsonb_build_object('principals', jsonb_build_array(${HIDDEN}::text))`)
    const again = { ...role(HIDDEN), ...policy({ principals: [HIDDEN] }) }
    const { status, logs } = await install(deps, pluginFiles(again, { name: 'Shop\u200b' }))
    expect([status, logs.map((log) => log.error)]).toEqual([200, [null, null]])
    expect(logs[0]?.warnings[0]?.message).toMatch(
      /"name" is refused of a plugin that is not installed/,
    )
  })
})
