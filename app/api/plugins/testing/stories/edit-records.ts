import { changedValues } from './change-draft'
import { type Expected, forget, noteEmpty } from './expected'
import { People } from './people'
import type { Step } from './random-story'
import type { Scene } from './scene'

/** What people do with the records of an installed entity. */
export async function editRecords(scene: Scene, { kind, entity, at, pick }: Step): Promise<void> {
  const name = scene.names[entity]
  if (!name) return
  const expected = scene.world.entities[entity] as Expected
  const people = new People(scene.deps, name)
  if (kind === 'create') return createRecord(scene, entity)
  if (kind === 'empty' || kind === 'empty by SQL') {
    await (kind === 'empty' ? people.empty() : people.deleteBySql(null))
    return forgetAll(expected)
  }
  const row = [...expected.rows.values()][at % Math.max(1, expected.rows.size)]
  if (!row) return
  if (kind === 'delete' || kind === 'delete by SQL') {
    await (kind === 'delete' ? people.delete(row.no) : people.deleteBySql(row.no))
    return forget(expected, row.no)
  }
  scene.made++
  const value = `p${scene.made}`
  const isBySql = kind === 'change by SQL'
  const values = isBySql ? { a: value } : changedValues(pick, -scene.made, scene.form)
  await (isBySql ? people.changeBySql(row.no, value) : people.change(row.no, values))
  Object.assign(row, values)
}

function forgetAll(expected: Expected): void {
  expected.rows.clear()
  for (const one of expected.given.values()) one.beside = new Set()
  noteEmpty(expected)
}

export async function createRecord(
  { deps, form, names, world }: Scene,
  entity: number,
  b?: string,
): Promise<void> {
  const no = 1_000 + world.serial
  const record = { no, a: `u${no}`, b: b ?? `u${no}`, c: null }
  const people = new People(deps, names[entity] ?? '')
  await people.create(form.isKeyed ? { id: no, ...record } : record)
  const { rows, given } = world.entities[entity] as Expected
  rows.set(no, { ...record, since: world.serial++, by: 'people' })
  for (const one of given.values()) one.isEmptied = false
}
