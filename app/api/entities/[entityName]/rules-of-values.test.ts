import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/route'
import { currentActor } from '@/lib/auth/load-actor'
import { users } from '@/lib/db/schema'
import type { Entity } from '@/lib/definitions/definition'
import { listEntities } from '@/lib/registry/registry'
import { restrictedTarget } from '@/lib/search/restricted-target'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { allow, clerk, deps } from './testing/branches'

const install = (properties: object[], records: object[] = []) =>
  installTestEntity(
    deps,
    {
      entity: { name: 'Event', pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] },
      schema: { properties },
    },
    records,
  )

/** The rows that the same clerk may read, asked twice. */
async function targetsOf(profile: JsonObject) {
  const headers = new Headers(await clerk(profile))
  const entities = await listEntities(deps)
  const event = entities.find(({ name }) => name === 'Event') as Entity
  const actor = await currentActor({ headers }, deps)
  if (!actor) throw new Error('no caller')
  return [
    restrictedTarget(event, actor, entities),
    restrictedTarget(event, actor, entities),
  ] as const
}

test('rules about a time relative to now are made for each request, however the time is written', async () => {
  await install([{ name: 'at', type: 'datetime' }])
  await allow({
    name: 'future',
    entities: ['Event'],
    where: [{ field: 'at', operator: 'gt', value: ' $now' }],
  })
  const [first, second] = await targetsOf({})
  expect(second).not.toBe(first)
})

test('times relative to now in a profile are those of the request', async () => {
  await install([{ name: 'at', type: 'datetime' }])
  const where = [{ field: 'at', operator: 'gt', value: '$me.profile.since' }]
  await allow({ name: 'own time', entities: ['Event'], where })
  const [first, second] = await targetsOf({ since: '$now' })
  expect(second).not.toBe(first)
  const [fixed, again] = await targetsOf({ since: '2026-01-01T00:00:00Z' })
  expect(again).toBe(fixed)
})

test('numbers of a profile keep all their digits', async () => {
  await install([{ name: 'no', type: 'string' }])
  const numbers = ['9007199254740992', '9007199254740993']
  for (const [id, no] of numbers.entries())
    await deps.db.execute(sql`insert into entities.event (id, no) values (${id}, ${no})`)
  const where = [{ field: 'no', operator: 'eq', value: '$me.profile.no' }]
  await allow({ entities: ['Event'], where })
  const headers = await clerk()
  await deps.db.update(users).set({ profile: sql`'{"no": 9007199254740993}'::jsonb` })
  const at = { path: '/api/entities/Event', headers, params: { entityName: 'Event' } }
  await expect
    .poll(async () => (await call(deps, GET, at)).body.data.map(({ no }: { no: string }) => no))
    .toEqual([numbers[1]])
})
