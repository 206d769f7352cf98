import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import { settlePending } from '@/lib/tables/settle-pending'
import { testsOnCitus } from '@/lib/testing/deps'
import { drift } from '../../testing/generated-values'
import { MANY, things } from '../../testing/large-files'
import { edit, PROPERTIES, table } from '../../testing/upgrades'
import { deps, installed, logOf, version } from '../../testing/versions'

const PATH = 'Thing/data.json'
const pks = [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]
const properties = [...PROPERTIES, { name: 'other', type: 'text' }]

/** Without keys; two of them equal. */
const keyless = () =>
  things().map(({ id: _, ...thing }, at) => (at === 7 ? { ...thing, ...TWIN } : thing))
const TWIN = { name: 'Thing 3', note: things()[3]?.note }

const give = async (records: object[] = keyless(), entity: object = { pks }) =>
  logOf(await installed(version({ properties, records, entity })), PATH)

async function counts() {
  const query = sql`select (select count(*) from engine.plugin_records where entity = 'Thing')::int as remembered,
    (select count(content) from engine.plugin_records where entity = 'Thing')::int as contents,
    (select max(ordinal) from engine.plugin_records where entity = 'Thing') as ordinal,
    (select count(*) > 0 from engine.pending_plugin_records) as "isPending"`
  return one(await rows<{ isPending: boolean }>(deps.db, query))
}

const contents = async () =>
  (
    await rows<{ content: string }>(
      deps.db,
      sql`select replace(content::text, '-', '') as content from engine.plugin_records
        where entity = 'Thing' order by key::int`,
    )
  ).map(({ content }) => content)

const digestOf = ({ name, note, price }: ReturnType<typeof keyless>[number]) =>
  createHash('sha256').update(JSON.stringify({ name, note, price })).digest('hex').slice(0, 32)

const settled = { remembered: MANY, contents: MANY, ordinal: 1, isPending: false }
const isCopied = () => deps.dialect === 'postgres' && !testsOnCitus()

describe('records without a key, which a large file gives to an empty table,', () => {
  test('are remembered later, by what the file has of them', async () => {
    await give()
    if (isCopied()) expect(await counts()).toMatchObject({ remembered: 0, isPending: true })
    await settlePending(deps.db)
    expect(await counts()).toEqual(settled)
    expect(await contents()).toEqual(keyless().map(digestOf))
    expect(await drift()).toEqual([])
  })

  test('are known again immediately after it', async () => {
    await give()
    await edit('price = 9', 2)
    await deps.db.execute(sql`delete from ${table} where id = 3`)
    expect(await give()).toMatchObject({
      records: { created: 0, updated: 0 },
      deleted: { kept: 1, restored: 0 },
    })
    expect(await counts()).toEqual(settled)
  })

  test('are known beside records that have one', async () => {
    const mixed = keyless().map((thing, at) =>
      at % 3 === 0 ? { id: 1_000 + at, ...thing } : thing,
    )
    await give(mixed)
    await settlePending(deps.db)
    expect(await counts()).toMatchObject({ remembered: MANY, contents: 133 })
    expect(await give(mixed)).toMatchObject({ records: { created: 0, unchanged: MANY } })
  })

  test('are known where some can not wait', async () => {
    const keys = [
      { key: 'id', strategy: 'AutoIncrement', type: 'number' },
      { key: 'name', strategy: 'Fixed', type: 'string' },
    ]
    const long = keyless().map((thing, at) => ({
      ...thing,
      name: at === 150 ? 'y'.repeat(900) : thing.name,
    }))
    await give(long, { pks: keys })
    await settlePending(deps.db)
    expect(await counts()).toEqual(settled)
    expect(await give(long, { pks: keys })).toMatchObject({ records: { unchanged: MANY } })
  })
})
