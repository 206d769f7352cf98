import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { changeByHand, createByHand, deleteByHand, valuesOf } from './testing/by-hand'
import { exportEntities, exportPlugin } from './testing/export-api'
import { CLASSES, classes, PEOPLE, people } from './testing/people-and-classes'
import { install, upload, verdicts } from './testing/plugin-api'
import { rolledBack, run, state } from './testing/rollbacks'
import { restore, uninstall } from './testing/uninstall-api'
import { deps } from './testing/versions'

const ownerOf = async (name: string) => {
  const query = sql`select plugin_id as owner from engine.entities where name = ${name}::text`
  return (await rows<{ owner: string | null }>(deps.db, query))[0]?.owner
}

const everything = async () => ({
  names: await valuesOf('Person', 'name'),
  towns: await valuesOf('Person', 'town'),
  people: await valuesOf('Member', 'person'),
  grades: await valuesOf('Member', 'grade'),
  rooms: await valuesOf('Class', 'room'),
})

const FIRST = {
  names: ['Ada', 'bob', 'cid', 'eve'],
  towns: ['Bonn', 'Bonn', 'Bonn', null],
  people: [1, 2, 5],
  grades: ['A', 'B', 'C'],
  rooms: [1, 1],
}
const SECOND = {
  ...FIRST,
  towns: ['Bern', 'Bern', 'Bern', null],
  people: ['1', '2', '5'],
  grades: ['A', 'A', 'C'],
}

test('two plugins that need each other live through a wider key, a refused entity, a new owner and the trash', async () => {
  await run(people(1))
  await run(classes(1))
  await changeByHand('Person', '1', { name: 'Ada', favourite: 'art' })
  await deleteByHand('Person', '4')
  await createByHand('Person', { name: 'eve', mail: 'eve@example.com' })
  await createByHand('Member', { person: 5, class: 'law', grade: 'C' })
  expect(await everything()).toEqual(FIRST)

  // The key widens with the references of the other plugin; taken back, all is as before.
  const first = await state()
  const widened = await run(people(2))
  const second = await state()
  const back = await rolledBack(widened)
  expect(await everything()).toEqual(FIRST)
  expect(await state()).toEqual(first)
  await rolledBack(back)
  expect(await state()).toEqual(second)

  // Another key of an entity with records is refused, and so is its data; the rest goes on.
  const refused = await install(deps, classes(2))
  expect(verdicts(refused.logs)).toMatchObject({
    'EngineEntities/Class.json': 'Incompatible change',
    'EngineEntities/Member.json': 'unchanged',
    'Class/data.json': 'Missing dependency',
    'Member/data.json': 'updated',
  })
  expect(await everything()).toEqual(SECOND)

  // Who defines an entity last owns it; the export of each has what it defines.
  await run(classes(3))
  expect(await ownerOf('Person')).toBe(CLASSES)
  const { files, error } = await exportPlugin(deps, PEOPLE)
  expect([error, files['EngineEntities/Person.json']]).toEqual([
    undefined,
    expect.stringContaining('Who learns'),
  ])
  expect(files['Person/data.json']).toContain('"eve"')

  // One person is given no longer: it was deleted here, and stays so.
  await run(people(3), '?removed=delete')
  expect(await everything()).toEqual({ ...SECOND, rooms: [3, 3] })

  // From the trash both come back whole, and keys are counted on.
  const before = await state()
  const missing = await uninstall(deps, PEOPLE, `?with=${CLASSES}`)
  expect(missing.status).toBe(200)
  expect(await rows(deps.db, sql`select from engine.entities`)).toEqual([])
  expect((await restore(deps, missing.body.data[0].batchId)).status).toBe(200)
  expect(await state()).toEqual(before)
  expect(await createByHand('Person', { name: 'fay', mail: 'f@example.com' })).toMatchObject({
    id: '6',
  })

  // One new plugin of both, made by an export, brings everything to where nothing is left.
  const all = await everything()
  const entities = ['Person', 'Class', 'Member'].map((name) => ({ name }))
  const made = await exportEntities(deps, { id: 'com.example.school', name: 'School', entities })
  expect(made.error).toBeUndefined()
  expect((await uninstall(deps, PEOPLE, `?with=${CLASSES}`)).status).toBe(200)
  expect((await upload(deps, made.bytes)).body.data).toMatchObject({ failedCount: 0 })
  expect(await everything()).toEqual(all)
  expect(await createByHand('Person', { name: 'gil', mail: 'g@example.com' })).toMatchObject({
    id: '7',
  })
})
