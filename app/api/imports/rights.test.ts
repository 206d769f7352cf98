import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { importsOfUser, installPeople } from './testing/imports-api'

const deps = freshDeps()
beforeEach(() => installPeople(deps, [{ id: 1, name: 'Ann' }]))

const FILE = 'id,name\n1,Anna\n'

test.each([
  [['VIEWER'], null, 403, 403, 403],
  [['EDITOR'], null, 422, 200, 200],
  [['ADMIN'], ['Person:write'], 422, 403, 403],
  [['ADMIN'], ['Person:update'], 403, 200, 403],
  [['ADMIN'], ['Person:write', 'Person:update'], 422, 200, 200],
  [['ADMIN'], ['Other:write', 'Other:update'], 403, 403, 403],
] as const)('%j with %j: create %i, update %i, upsert %i', async (roles, scopes, ...expected) => {
  const mine = await importsOfUser(deps, [...roles], scopes && [...scopes])
  const found: number[] = []
  for (const mode of ['create', 'update', 'upsert'])
    found.push((await mine.send(FILE, { query: `mode=${mode}` })).status)
  expect(found).toEqual(expected)
})

test('who may not read learns not whether a record changed', async () => {
  const mine = await importsOfUser(deps, ['ADMIN'], ['Person:update'])
  const same = await mine.result('id,name\n1,Ann\n', { query: 'mode=update' })
  expect(same).toMatchObject({ updated: 1, unchanged: 0 })
})

test('who may not read learns not which key a record has', async () => {
  const mail = 'ann@example.com'
  await deps.db.execute(sql`update entities.person set email = ${mail}::text`)
  const asked = { query: 'mode=update&key=email&partial=true' }
  const reasonFor = async (scopes: string[]) => {
    const mine = await importsOfUser(deps, ['ADMIN'], scopes)
    const { id } = await mine.result(`id,email\n7,${mail}\n`, asked)
    return (await mine.refused(id)).text
  }
  expect(await reasonFor(['Person:update'])).toContain(
    'The record with this email has another key, which an import does not change',
  )
  expect(await reasonFor(['Person:update', 'Person:read'])).toContain('has the key 1, which')
})

test('what the definition forbids, and entities of the server, are refused', async () => {
  const permissions = { read: true, write: true, update: false, delete: true }
  await installTestEntity(deps, { entity: { name: 'Fixed', permissions } })
  const mine = await importsOfUser(deps, ['ADMIN'])
  const mapping = { a: 'a' }
  const fixed = { entityName: 'Fixed', mapping }
  expect((await mine.send('a\n1\n', fixed)).status).toBe(200)
  expect((await mine.send('a\n1\n', { ...fixed, query: 'mode=upsert' })).status).toBe(403)
  expect((await mine.send('a\n1\n', { entityName: 'EngineUsers' })).status).toBe(405)
  expect((await mine.send('a\n1\n', { entityName: 'Nothing' })).status).toBe(404)
})

test('audit fields name the person who imports', async () => {
  const mine = await importsOfUser(deps)
  await mine.send('name\nBob\n')
  const found = await rows(
    deps.db,
    sql`select "CreatedBy" as by from entities.person where name = 'Bob'`,
  )
  expect(found).toEqual([{ by: 'test' }])
})

test('a key that is limited to scopes sees the imports into what it may change', async () => {
  const mine = await importsOfUser(deps, ['ADMIN'], ['Person:write'])
  const { id } = await mine.result('name\nBob\n')
  expect(await mine.list()).toMatchObject([{ id }])
  await deps.db.execute(sql`update engine.imports set entity = 'Other'`)
  expect(await mine.list()).toEqual([])
  expect((await mine.get(id)).status).toBe(404)
})
