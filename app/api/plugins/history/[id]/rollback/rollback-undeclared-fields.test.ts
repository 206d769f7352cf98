import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { columns, namesSeen, rolledBack, run } from '../../../testing/rollbacks'
import { deps, installed, search, text, version } from '../../../testing/versions'

test('an undeclared field that a version declares is undeclared again, and known by its name', async () => {
  await installed(
    version({
      properties: [],
      records: [
        { id: 1, color: 'red' },
        { id: 2, color: 'blue' },
      ],
    }),
  )
  const declared = { properties: [text('color')], records: [{ id: 1, color: 'red', size: 4 }] }
  const second = await run(version(declared), '?removed=delete')
  expect(await namesSeen()).toEqual(['size'])
  await rolledBack(second)
  expect(await search({ fields: ['id', 'color'] })).toEqual([
    { id: 1, color: 'red' },
    { id: 2, color: 'blue' },
  ])
  expect(await columns()).toEqual(['$extra', 'id'])
  expect(await namesSeen()).toEqual(['color'])
})

test('a name that somebody has used since stays known', async () => {
  await installed(version({ properties: [], records: [{ id: 1 }] }))
  const second = await run(version({ properties: [], records: [{ id: 1, size: 4, weight: 1 }] }))
  await deps.db.execute(sql`update entities.thing set "$extra" = '{"size": 5, "weight": 1}'`)
  await rolledBack(second)
  expect(await namesSeen()).toEqual(['size'])
  expect(await search()).toEqual([{ id: 1, size: 5 }])
})
