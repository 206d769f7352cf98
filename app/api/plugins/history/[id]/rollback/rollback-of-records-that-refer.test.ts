import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { testsOnCitus } from '@/lib/testing/deps'
import { notes, toThing, withNotes } from '../../../testing/referring-notes'
import { rollback, rolledBack, run, state, undoTwice } from '../../../testing/rollbacks'
import { deps, integer, version } from '../../../testing/versions'

const properties = [integer('price')]

/**
 * Rolls an install back, and that back too; returns the number of one that has the same effect. The nodes of a cluster check
 * references with each statement: what refers to records that return can't be changed back before.
 */
async function undone(install: () => Promise<number>): Promise<number> {
  if (!testsOnCitus()) return undoTwice(install)
  const before = await state()
  await rolledBack(await install())
  expect(await state()).toEqual(before)
  return install()
}

for (const onDelete of ['cascade', 'setNull', 'restrict'])
  test(`records of the same install that refer to one that goes (${onDelete})`, async () => {
    const things = (...ids: number[]) => ({ properties, records: ids.map((id) => ({ id })) })
    await run(withNotes(things(1), onDelete, [{ id: 1, thing: null }]))
    const notesOfTwo = [
      { id: 1, thing: 3 },
      { id: 2, thing: 3 },
    ]
    const again = await undone(() => run(withNotes(things(1, 3), onDelete, notesOfTwo)))
    expect(await notes()).toEqual({ 1: 3, 2: 3 })
    await deps.db.execute(sql`update entities.note set thing = 1 where id = 2`)
    expect((await rollback(again)).status).toBe(200)
  })

for (const onDelete of ['cascade', 'setNull'])
  test(`records that refer to others of their entity (${onDelete})`, async () => {
    const within = (...records: object[]) =>
      version({ properties: [toThing('inside', onDelete)], records })
    await run(within({ id: 1 }, { id: 2, inside: 1 }))
    const next = within({ id: 1, inside: 3 }, { id: 2, inside: 1 }, { id: 3 }, { id: 4, inside: 3 })
    const again = await undone(() => run(next))
    expect((await rollback(again)).status).toBe(200)
    const install = await run(next)
    await deps.db.execute(sql`insert into entities.thing (id, inside) values (9, 4)`)
    const before = await state()
    expect(await rollback(install)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('1 record of "Thing" (by "inside")') },
    })
    expect(await state()).toEqual(before)
  })
