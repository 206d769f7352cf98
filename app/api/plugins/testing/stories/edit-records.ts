import { changedValues } from './change-draft'
import { type Expected, forget, recordEmpty } from './expected'
import type { Step } from './random-story'
import { RecordEdits } from './record-edits'
import type { StoryState } from './story-state'

/** What people do with the records of an installed entity. */
export async function editRecords(
  story: StoryState,
  { kind, entity, at, pick }: Step,
): Promise<void> {
  const name = story.names[entity]
  if (!name) return
  const expected = story.world.entities[entity] as Expected
  const edits = new RecordEdits(story.deps, name)
  if (kind === 'create') return createRecord(story, entity)
  if (kind === 'empty' || kind === 'empty by SQL') {
    await (kind === 'empty' ? edits.empty() : edits.deleteBySql(null))
    return forgetAll(expected)
  }
  const row = [...expected.rows.values()][at % Math.max(1, expected.rows.size)]
  if (!row) return
  if (kind === 'delete' || kind === 'delete by SQL') {
    await (kind === 'delete' ? edits.delete(row.no) : edits.deleteBySql(row.no))
    return forget(expected, row.no)
  }
  story.made++
  const value = `p${story.made}`
  const isBySql = kind === 'change by SQL'
  const values = isBySql ? { a: value } : changedValues(pick, -story.made, story.form)
  await (isBySql ? edits.changeBySql(row.no, value) : edits.change(row.no, values))
  Object.assign(row, values)
}

function forgetAll(expected: Expected): void {
  expected.rows.clear()
  for (const one of expected.input.values()) one.beside = new Set()
  recordEmpty(expected)
}

export async function createRecord(
  { deps, form, names, world }: StoryState,
  entity: number,
  b?: string,
): Promise<void> {
  const no = 1_000 + world.serial
  const record = { no, a: `u${no}`, b: b ?? `u${no}`, c: null }
  const edits = new RecordEdits(deps, names[entity] ?? '')
  await edits.create(form.isKeyed ? { id: no, ...record } : record)
  const { rows, input } = world.entities[entity] as Expected
  rows.set(no, { ...record, since: world.serial++, by: 'people' })
  for (const one of input.values()) one.isEmptied = false
}
