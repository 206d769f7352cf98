import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { type Files, install, upload } from '../../testing/plugin-api'
import { rollback } from '../../testing/rollbacks'

const deps = freshDeps()

type Data = Record<string, object[]>
const TWO: Data = {
  'a.json': [{ text: 'One' }, { text: 'Two', rank: 2 }],
  'b.json': [{ text: 'Three' }, { text: 'Four', rank: 4 }],
}

const notes = (data: Data, [name, ...former]: string[] = ['Note'], folder = name ?? ''): Files =>
  pluginFiles({
    EngineEntities: {
      files: { [`${name}.json`]: { name, insertDuplicate: 'Upsert', renamedFrom: former } },
    },
    [folder]: { manifest: { target: name }, files: data },
  })

const REMARK = ['Remark', 'Note']

/** The keys by their texts. */
const stored = (table: string) =>
  rows(
    deps.db,
    sql`select id::int, "$extra" ->> 'text' as text from entities.${sql.identifier(table)} order by id`,
  )

/** Installs after a dry run with the same counts and warnings, and returns those of the data files. */
async function upgrade(files: Files, query = '') {
  const { body } = await upload(deps, files, { query: `?dryRun=true${query}` })
  const { logs, body: done } = await install(deps, files, { query: query.replace('&', '?') })
  const ofData = (all: typeof logs) =>
    all
      .filter(({ target }) => !target?.startsWith('Engine'))
      .map(({ records: { created, updated, unchanged }, removed, warnings }) => ({
        counts: [created, updated, unchanged],
        ...{ removed, warnings: warnings.map(({ message }) => message) },
      }))
  expect(ofData(body.data.plan.files)).toEqual(ofData(logs))
  return { files: ofData(logs), history: done.data.history }
}

describe('records without a key', () => {
  test('stay the same ones where the folder follows the new name of the entity', async () => {
    await install(deps, notes(TWO))
    const before = await stored('note')
    const changed = { ...TWO, 'b.json': [{ text: 'Three' }, { text: 'Four', rank: 5 }] }
    const { files, history } = await upgrade(notes(changed, REMARK))
    expect(files).toMatchObject([
      { counts: [0, 0, 2], warnings: [] },
      { counts: [0, 1, 1], warnings: [] },
    ])
    expect(await stored('remark')).toEqual(before)
    expect((await rollback(history)).status).toBe(200)
    expect(await stored('note')).toEqual(before)
    expect((await upgrade(notes(TWO))).files).toMatchObject([
      { counts: [0, 0, 2] },
      { counts: [0, 0, 2] },
    ])
  })

  test('stay the same ones where only the folder has another name', async () => {
    await install(deps, notes(TWO))
    const { files } = await upgrade(notes(TWO, ['Note'], 'Texts'))
    expect(files).toMatchObject([{ counts: [0, 0, 2] }, { counts: [0, 0, 2] }])
  })

  test('are told by the plan where it is not known in which file they are', async () => {
    await install(deps, notes(TWO))
    const all = { 'all.json': Object.values(TWO).flat() }
    const { files } = await upgrade(notes(all, REMARK))
    expect(files).toMatchObject([
      {
        counts: [4, 0, 0],
        warnings: [expect.stringContaining('Note/a.json, Note/b.json, which gave 4 records')],
      },
    ])
    expect((await upgrade(notes(all, REMARK))).files).toMatchObject([{ warnings: [] }])
  })
})

test('records that a moved file gives no longer are counted, and go when asked', async () => {
  await install(deps, notes(TWO))
  const one = { ...TWO, 'a.json': [{ text: 'One' }] }
  const missing = (deleted: number) => [
    { removed: { total: 1, deleted } },
    { removed: { total: 0, deleted: 0 } },
  ]
  expect((await upgrade(notes(one, REMARK))).files).toMatchObject(missing(0))
  expect((await upgrade(notes(one, REMARK), '&removed=delete')).files).toMatchObject(missing(1))
  expect(await stored('remark')).toHaveLength(3)
})
