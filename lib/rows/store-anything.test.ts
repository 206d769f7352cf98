import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rows, tableSql } from '@/lib/db/sql'
import { BUILT_IN_TYPES } from '@/lib/definitions/property-types'
import { budget } from '@/lib/testing/budget'
import { testDeps, testsOnPostgres } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import type { Json, JsonObject } from '@/lib/values/json'
import { beginLoad } from './load-records'
import { prepareRecords } from './prepare-records'
import { writeRecords } from './write-records'

const types = [...BUILT_IN_TYPES.keys()]
const nameOf = (type: string) => `a_${type}`

const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noDefaultInfinity: false }),
  fc.constantFrom(0, -0, 1, -32768, 32767, 2 ** 53, 1e308, 5e-324, Number.POSITIVE_INFINITY),
)
const digits = fc.oneof(
  fc.stringMatching(/^[+-]?[0-9]{0,20}(\.[0-9]{0,30})?([eE][+-]?[0-9]{1,2})?$/),
  fc.bigInt().map(String),
)
const moment = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.stringMatching(
    /^[0-2][0-9]{3}-[01][0-9]-[0-3][0-9]([T ][0-2][0-9]:[0-6][0-9](:[0-6][0-9](\.[0-9]{1,9})?)?(Z|[+-][0-2][0-9]:?[0-6][0-9])?)?$/,
  ),
  fc.stringMatching(/^[0-2][0-9]:[0-6][0-9](:[0-6][0-9](\.[0-9]{1,7})?)?$/),
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\u0000', '\uD800', "'; --", '\\', '"', '\\u0000', '${x}', '$1', '%s'),
)
const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>
const value = fc.oneof(
  ...[number, digits, moment, text, json, fc.boolean(), fc.constant(null)],
  moment.map(($date) => ({ $date })),
  fc.maxSafeInteger().map(($date) => ({ $date })),
) as fc.Arbitrary<Json>
const field = fc.oneof(fc.constantFrom(...types.map(nameOf)), text, fc.constant('__proto__'))
const record = fc
  .array(fc.tuple(field, value), { maxLength: 12 })
  .map((entries) => Object.fromEntries(entries) as JsonObject)

test('whatever passes the checks can be stored, changed and is then unchanged', async () => {
  const deps = await testDeps()
  const entity = await installTestEntity(deps, {
    entity: { name: 'Anything' },
    schema: { properties: types.map((type) => ({ name: nameOf(type), type })) },
  })
  let stored = 0
  const property = fc.asyncProperty(
    fc.array(record, { minLength: 20, maxLength: 60 }),
    async (records) => {
      const checked = await prepareRecords(entity, records, 'insert')
      const good = checked.rows.map(({ index }) => records[index] ?? null)
      const write = async (batch: Json[], onDuplicate: 'Error' | 'Upsert') => {
        const { rows: prepared } = await prepareRecords(entity, batch, 'insert')
        const options = { onDuplicate, updateStrategy: 'Upsert', actorName: 'a' } as const
        return deps.db.transaction((tx) => writeRecords(tx, entity, prepared, options))
      }
      const first = await write(good, 'Error')
      expect(first).toMatchObject({ conflicts: [], counts: { created: good.length } })
      const again = first.rows.map(({ values, extra }) => ({ ...extra, ...values }))
      expect((await write(again, 'Upsert')).counts.unchanged).toBe(good.length)
      stored += good.length
    },
  )
  await fc.assert(property, budget(30, 1))
  const [found] = await rows<{ n: number }>(
    deps.db,
    sql`select count(*)::int as n from entities.anything`,
  )
  expect(found?.n).toBe(stored)
  expect(stored).toBeGreaterThan(50)
}, 300_000)

test.runIf(testsOnPostgres())(
  'COPY stores the same as INSERT does',
  async () => {
    const deps = await testDeps()
    const define = (name: string) =>
      installTestEntity(deps, {
        entity: { name, auditable: true },
        schema: {
          properties: types.map((type) => ({
            name: nameOf(type),
            type,
            ...(type === 'string' ? { default: 'a\tb\\' } : {}),
          })),
        },
      })
    const [inserted, copied] = [await define('Inserted'), await define('Copied')]
    const signature = { actorName: 'a\tb', now: new Date() }
    const stored = async ({ table }: typeof inserted) =>
      rows<{ data: string }>(
        deps.db,
        sql`select to_jsonb(t)::text as data from ${tableSql(table)} as t order by id`,
      )
    const property = fc.asyncProperty(
      fc.array(record, { minLength: 20, maxLength: 60 }),
      async (records) => {
        const [some, others] = [records.slice(0, 10), records.slice(10)]
        await deps.db.transaction(async (tx) => {
          const options = { onDuplicate: 'Error', updateStrategy: 'Upsert', ...signature } as const
          for (const part of [some, others]) {
            const { rows: prepared } = await prepareRecords(inserted, part, 'insert')
            await writeRecords(tx, inserted, prepared, options)
          }
          const load = await beginLoad(tx, copied, signature)
          for (const part of [some, others]) {
            for (const row of (await prepareRecords(copied, part, 'insert')).rows) load.add(row)
            await load.write()
          }
          await load.end()
        })
        expect(await stored(copied)).toEqual(await stored(inserted))
      },
    )
    await fc.assert(property, budget(20, 2))
    expect((await stored(copied)).length).toBeGreaterThan(100)
  },
  300_000,
)
