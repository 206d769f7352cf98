import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { newShoes, run, runJson } from '../testing/cli'
import { runningEngine } from '../testing/engine'

const { deps, env } = runningEngine()

const installedShoes = () => newShoes(env)

describe('drift', () => {
  test('of a plugin that nobody touched is nothing', async () => {
    const folder = await installedShoes()
    expect(await run(['drift', '--exit-code'], folder, { env })).toMatchObject({
      code: 0,
      out: 'Nothing has changed\n',
    })
  })

  test('shows what was added, edited and deleted, and exits with 1 when it is asked to', async () => {
    const folder = await installedShoes()
    await deps.db.execute(sql`update entities.shoe set name = 'Mine' where id = 's0'`)
    await deps.db.execute(sql`delete from entities.shoe where id = 's1'`)
    await deps.db.execute(sql`insert into entities.shoe (id, name) values ('own', 'Own')`)
    const { code, out } = await run(['drift', 'com.example.shop'], folder, { env })
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual(
      expect.arrayContaining([
        'edited      Shoe "s0"',
        '    name: "Shoe 0" → "Mine"',
        'deleted     Shoe "s1"',
        'added       Shoe "own"',
        '3 records changed',
      ]),
    )
    const found = await runJson(['drift', '--exit-code'], folder, { env })
    expect([found.code, found.json.length]).toEqual([1, 3])
  })

  test('of a plugin that is not installed is refused', async () => {
    const { code, err } = await run(['drift', 'com.example.nope'], '/', { env })
    expect([code, err]).toEqual([1, expect.stringContaining('com.example.nope')])
  })
})
