import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { importsOfUser, installPeople } from './testing/imports-api'

const deps = freshDeps()
beforeEach(() => installPeople(deps))

const count = async () => {
  const [found] = await rows<{ n: number }>(
    deps.db,
    sql`select count(*)::int as n from entities.person`,
  )
  return found?.n
}

test('two at once are both stored', async () => {
  const mine = await importsOfUser(deps)
  const file = (name: string) =>
    `email,name\n${Array.from({ length: 3_000 }, (_, n) => `${name}${n}@example.com,${name}\n`).join('')}`
  const done = await Promise.all([mine.result(file('a')), mine.result(file('b'))])
  expect(done).toMatchObject([{ created: 3_000 }, { created: 3_000 }])
  expect(await count()).toBe(6_000)
})

test('is complete when it says so, not when it began', async () => {
  const mine = await importsOfUser(deps)
  const file = `email,name\n${Array.from({ length: 8_000 }, (_, n) => `${n}@example.com,x\n`).join('')}`
  const from = performance.now()
  const { createdAt, completedAt } = await mine.result(file)
  const took = performance.now() - from
  expect(Date.parse(completedAt) - Date.parse(createdAt)).toBeGreaterThan(took / 2)
})

test('of two that bring the same unique values, one is refused', async () => {
  const mine = await importsOfUser(deps)
  const file = `email,name\n${Array.from({ length: 3_000 }, (_, n) => `${n}@example.com,x\n`).join('')}`
  const done = await Promise.all([mine.result(file), mine.result(file)])
  expect(done.map(({ status }) => status).sort()).toEqual(['DONE', 'FAILED'])
  expect(await count()).toBe(3_000)
})
