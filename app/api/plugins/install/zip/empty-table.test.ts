import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { pluginFiles } from '@/lib/testing/archive'
import { tableIndexDefinitions } from '@/lib/testing/define'
import { freshDeps } from '@/lib/testing/deps'
import { type Files, install } from '../../testing/plugin-api'

const deps = freshDeps()

const PROPERTIES = [
  { name: 'name', type: 'string', indexed: true },
  { name: 'code', type: 'string', unique: true },
  { name: 'note', type: 'string', searchable: true },
  { name: 'parent', type: 'integer', reference: { entity: 'Part', field: 'id' } },
]

type Options = { onDuplicate?: string; pks?: object[]; query?: string }

/** Installs parts with indexes of all kinds, and returns the report of their file. */
async function installParts(records: object[], { onDuplicate, pks, query }: Options = {}) {
  const entity = { name: 'Part', ...(pks ? { pks } : {}) }
  const files: Files = pluginFiles({
    EngineEntities: { files: { 'Part.json': entity } },
    EngineSchemas: { files: { 'Part.json': { name: 'Part', properties: PROPERTIES } } },
    Part: {
      manifest: { target: 'Part', ...(onDuplicate ? { insertDuplicate: onDuplicate } : {}) },
      files: { 'data.json': records },
    },
  })
  const log = (await install(deps, files, { query })).logs.at(-1)
  return { verdict: log?.error ?? log?.status, ...log }
}

const NOTE = 'tab\t, line\nfeed, return\r, backslash \\N, \\. and ü 🙂 '

/** Large enough for its indexes to be built after its records. */
const parts = (count: number, more: (n: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({
    name: `Part ${(index * 7919) % count}`,
    code: `C${index + 1}`,
    note: `${NOTE}${'x'.repeat(100)}`,
    undeclared: { n: index },
    ...more(index + 1),
  }))

const MANY = 3_000
const keyed = (n: number) => ({ id: n, ...(n > 1 ? { parent: n - 1 } : { parent: MANY }) })

const count = async () => {
  const [found] = await rows<{ n: number }>(
    deps.db,
    sql`select count(*)::int as n from entities.part`,
  )
  return found?.n
}
const nextId = async () => {
  const [found] = await rows<{ n: number }>(
    deps.db,
    sql`select nextval(pg_get_serial_sequence('entities.part', 'id'))::int as n`,
  )
  return found?.n
}

describe('a large file that meets an empty table', () => {
  test('is stored whole, and every index is there afterwards', async () => {
    expect((await installParts([])).verdict).toBe('unchanged')
    const before = await tableIndexDefinitions(deps, 'part')
    const report = await installParts(parts(MANY, keyed))
    expect(report).toMatchObject({ verdict: 'created', records: { created: MANY, failed: 0 } })
    expect(await tableIndexDefinitions(deps, 'part')).toEqual(before)
    expect(await count()).toBe(MANY)
    const [found] = await rows(
      deps.db,
      sql`select name, note, "$extra" as extra, parent::int from entities.part where code = 'C2'`,
    )
    const [, second] = parts(MANY, keyed)
    expect(found).toMatchObject({
      name: second?.name,
      note: second?.note,
      extra: { undeclared: { n: 1 } },
      parent: 1,
    })
    expect(await nextId()).toBe(MANY + 1)
  })

  test('gets keys in the order of its records, and knows them when it is installed again', async () => {
    expect((await installParts(parts(MANY))).records).toMatchObject({ created: MANY })
    const [wrong] = await rows<{ n: number }>(
      deps.db,
      sql`select count(*)::int as n from entities.part where code <> 'C' || id`,
    )
    expect(wrong?.n).toBe(0)
    const again = await installParts(parts(MANY), { onDuplicate: 'Upsert' })
    expect(again.records).toMatchObject({ created: 0, unchanged: MANY })
  })

  test.each(['', '?mode=atomic'])(
    'can be in an archive that is installed with "%s"',
    async (query) => {
      expect((await installParts(parts(MANY, keyed), { query })).verdict).toBe('created')
      expect(await tableIndexDefinitions(deps, 'part')).toHaveLength(6)
    },
  )

  const repeated = (n: number) => ({ id: n === MANY ? 7 : n })
  test('fails for a key that it has twice, naming both records', async () => {
    const report = await installParts(parts(MANY, repeated))
    expect(report).toMatchObject({
      verdict: 'Conflict Issue!',
      details: [{ index: MANY - 1, key: 7, message: expect.stringContaining('record 6') }],
      records: { created: 0, failed: 1 },
    })
    expect(await count()).toBe(0)
    expect(await tableIndexDefinitions(deps, 'part')).toHaveLength(6)
  })

  test.each([
    ['Ignore', 'C7'],
    ['Upsert', `C${MANY}`],
  ])('has a key twice and %s: one of the records is stored', async (onDuplicate, code) => {
    const report = await installParts(parts(MANY, repeated), { onDuplicate })
    expect(report.records).toMatchObject({ created: MANY - 1, unchanged: 1 })
    expect(await rows(deps.db, sql`select code from entities.part where id = 7`)).toEqual([
      { code },
    ])
  })

  test('fails for a unique value that it has twice', async () => {
    const report = await installParts(parts(MANY, (n) => ({ code: n === MANY ? 'C9' : `C${n}` })))
    expect(report).toMatchObject({
      verdict: 'Conflict Issue!',
      details: [{ index: MANY - 1, pointer: '/code', value: 'C9' }],
    })
    expect(await count()).toBe(0)
  })

  test('fails for a reference to nothing', async () => {
    const report = await installParts(parts(MANY, (n) => ({ id: n, parent: n === 9 ? -1 : n })))
    expect(report).toMatchObject({
      verdict: 'Missing dependency',
      details: [{ index: 8, key: 9, pointer: '/parent', value: -1 }],
    })
    expect(await count()).toBe(0)
  })

  test('fails with all faults of its records counted', async () => {
    const report = await installParts(parts(MANY, (n) => (n % 1000 === 0 ? { parent: 'x' } : {})))
    expect(report).toMatchObject({ verdict: 'Invalid record', detailCount: 3 })
    expect(report.details?.map(({ index }) => index)).toEqual([999, 1999, 2999])
    expect(await count()).toBe(0)
  })
})

test('keys that a file gives in part do not meet those that are generated', async () => {
  const mixed = parts(MANY, (n) => (n % 3 === 0 ? { id: 2 * MANY - n } : {}))
  const report = await installParts(mixed)
  expect(report.records).toMatchObject({ created: MANY, failed: 0 })
  expect(await count()).toBe(MANY)
  expect(await nextId()).toBeGreaterThan(2 * MANY - 3)
})

test('a table that is in use keeps its indexes meanwhile', async () => {
  await installParts([])
  let finish = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  if (deps.dialect !== 'postgres') return
  const reading = deps.db.transaction(async (tx) => {
    await tx.execute(sql`select count(*) from entities.part`)
    await held
  })
  expect((await installParts(parts(MANY))).verdict).toBe('created')
  finish()
  await reading
  expect(await tableIndexDefinitions(deps, 'part')).toHaveLength(6)
})
