import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { generated } from '../../../testing/generated-values'
import { rolledBack, run, state, v1 } from '../../../testing/rollbacks'
import { deps } from '../../../testing/versions'

describe('values that an upgrade generated for records', () => {
  test('go with their field on rollback, also those of other records, and come back with it', async () => {
    await run(v1())
    await deps.db.execute(sql`insert into entities.thing (id, name) values (7, 'own')`)
    const before = await state()
    const upgraded = await run(generated())
    const after = await state()
    const back = await rolledBack(upgraded)
    expect(await state()).toEqual(before)
    await rolledBack(back)
    expect(await state()).toEqual(after)
  })
})
