import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { type Files, install, upload, verdicts } from '../../testing/plugin-api'

const deps = freshDeps()

/** More than a dry run copies whole. */
const MANY = 10_050
const KEY = { key: 'id', strategy: 'Fixed', type: 'number' }
const refersTo = (entity: string) => ({
  type: 'integer',
  reference: { entity, field: 'id' },
})
const PLUGIN = pluginFiles({
  EngineSchemas: {
    files: {
      'Part.json': {
        name: 'Part',
        properties: [
          { name: 'up', ...refersTo('Part') },
          { name: 'label', type: 'string' },
        ],
      },
      'Note.json': {
        name: 'Note',
        properties: [
          { name: 'part', ...refersTo('Part') },
          { name: 'label', type: 'string' },
        ],
      },
    },
  },
  EngineEntities: {
    files: {
      'Part.json': { name: 'Part', pks: [KEY] },
      'Note.json': { name: 'Note', pks: [KEY] },
    },
  },
})

beforeEach(async () => {
  await install(deps, PLUGIN)
  await deps.db.execute(
    sql`insert into entities.part (id, up) select g, nullif(g - 1, 0) from generate_series(1, ${MANY}::int) g`,
  )
  await deps.db.execute(sql`insert into entities.note (id, part) values (1, 300), (2, 9000)`)
})

const data = (folder: string, files: Record<string, object[]>): Files =>
  pluginFiles({
    [folder]: { manifest: { target: folder, insertDuplicate: 'Upsert' }, files },
  })

test.each<[string, Files, string[]]>([
  [
    'refer to others of them, in one file after the other',
    data('Part', {
      'a.json': [{ id: 5, label: 'x' }],
      'b.json': [{ id: 4, label: 'y' }],
      'c.json': [
        { id: 6, up: 20_000 },
        { id: 7, label: 'z' },
      ],
      'd.json': [
        { id: 7, up: 9_999 },
        { id: 20_001, up: 800 },
      ],
    }),
    ['updated', 'updated', 'Missing dependency', 'updated'],
  ],
  [
    'are referred to by records that change otherwise',
    data('Note', {
      'a.json': [
        { id: 1, label: 'x' },
        { id: 3, part: 77 },
      ],
      'b.json': [{ id: 2, part: 20_000 }],
    }),
    ['updated', 'Missing dependency'],
  ],
])('a dry run equals the install where many records %s', (_, files, expected) =>
  checkPredicted(files, expected),
)

test('a dry run equals the install where many records are looked up by their keys', async () => {
  const more = sql`insert into entities.note (id) select g from generate_series(3, ${MANY}::int) g`
  await deps.db.execute(more)
  const files = data('Note', {
    'a.json': [{ id: 9_000, label: 'x' }, { id: 20_000 }],
    'b.json': [{ id: 9_001, part: 20_000 }],
  })
  await checkPredicted(files, ['updated', 'Missing dependency'])
})

async function checkPredicted(files: Files, expected: string[]): Promise<void> {
  const plan = (await upload(deps, files, { query: '?dryRun=true' })).body.data.plan.files
  const { logs } = await install(deps, files)
  expect(Object.values(verdicts(logs))).toEqual(expected)
  const essence = ({ path, status, error, records, details }: (typeof logs)[number]) => ({
    path,
    status,
    error,
    records,
    details,
  })
  expect(plan.map(essence)).toEqual(logs.map(essence))
}
