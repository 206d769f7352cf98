import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { drift, generated, RECORDS, TOKEN } from '../../../testing/generated-values'
import { rolledBack, run, state, v1 } from '../../../testing/rollbacks'
import { deps, text, version } from '../../../testing/versions'

describe('values that an upgrade generated for records', () => {
  test('are noted once with the changes of the same archive', async () => {
    await run(v1())
    const before = await state()
    const changed = RECORDS.map((record) => ({ ...record, price: 9 }))
    const upgraded = await run(generated(changed))
    const after = await state()
    const back = await rolledBack(upgraded)
    expect(await state()).toEqual(before)
    await rolledBack(back)
    expect(await state()).toEqual(after)
  })

  test('of a field that became required go, and those before stay', async () => {
    const loose = { ...TOKEN, meta: { default: 'uuid' } }
    const records = [{ id: 1, token: null }, { id: 2, token: 'x' }, { id: 3 }]
    await run(version({ properties: [loose], records }))
    const before = await state()
    const upgraded = await run(version({ properties: [TOKEN], records: records.slice(1) }))
    const after = await state()
    const back = await rolledBack(upgraded)
    expect(await state()).toEqual(before)
    await rolledBack(back)
    expect(await state()).toEqual(after)
  })
  test('are none where an undeclared field has the value under its former name', async () => {
    const records = [{ id: 1, code: 'a' }, { id: 2, code: 'b' }, { id: 3 }]
    await run(version({ properties: [text('name')], records }))
    await deps.db.execute(sql`update entities.thing set "$extra" = '{"code": "mine"}' where id = 2`)
    const before = await state()
    const upgraded = await run(
      version({
        properties: [text('name'), { ...TOKEN, renamedFrom: 'code' }],
        records: [{ id: 1, token: 'a' }],
      }),
    )
    expect(await drift()).toMatchObject([
      { key: '2', fields: [{ field: 'token', base: 'b', ours: 'mine' }] },
    ])
    await rolledBack(upgraded)
    expect(await state()).toEqual(before)
  })
})
