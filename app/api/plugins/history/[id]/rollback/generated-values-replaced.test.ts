import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { drift, RECORDS, SINCE, TOKEN } from '../../../testing/generated-values'
import { rolledBack, run, state } from '../../../testing/rollbacks'
import { deps, integer, search, text, version } from '../../../testing/versions'

const FIELDS = [text('name'), integer('price')]
const ENTITY = { updateStrategy: 'Replace' }
const former = () => version({ properties: FIELDS, entity: ENTITY, records: RECORDS })
const generated = (records: object[] = RECORDS) =>
  version({ properties: [...FIELDS, TOKEN, SINCE], entity: ENTITY, records })

describe('generated values of records that are replaced', () => {
  test('are no edits, stay with the next version, and go on rollback', async () => {
    await run(former())
    const before = await state()
    const upgraded = await run(generated())
    const after = await state()
    const made = await search()
    const changed = await run(generated(RECORDS.map((record) => ({ ...record, price: 9 }))))
    expect(await search()).toEqual(made.map((record: object) => ({ ...record, price: 9 })))
    expect(await drift()).toEqual([])
    await rolledBack(changed)
    expect(await state()).toEqual(after)
    const back = await rolledBack(upgraded)
    expect(await state()).toEqual(before)
    await rolledBack(back)
    expect(await state()).toEqual(after)
  })

  test('stay in records with other edits', async () => {
    await run(generated())
    await deps.db.execute(sql`update entities.thing set name = 'mine' where id = 2`)
    const made = await search()
    await run(generated(RECORDS.map((record) => ({ ...record, price: 9 }))))
    expect(await search()).toEqual(made.map((record: object) => ({ ...record, price: 9 })))
    expect(await drift()).toMatchObject([{ key: '2', fields: [{ field: 'name' }] }])
  })
})
