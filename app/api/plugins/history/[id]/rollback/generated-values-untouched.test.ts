import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { drift, generated, RECORDS } from '../../../testing/generated-values'
import { installAsPlanned } from '../../../testing/install-as-planned'
import { columns, rolledBack, run, v1 } from '../../../testing/rollbacks'
import { deps, search } from '../../../testing/versions'

describe('values that an upgrade generated for records', () => {
  test('are no edits of records, but what is written over them is one', async () => {
    await run(v1())
    const upgraded = await run(generated())
    expect(await drift()).toEqual([])
    await deps.db.execute(sql`update entities.thing set token = 'mine' where id = 2`)
    expect(await drift()).toMatchObject([{ key: '2', fields: [{ field: 'token', ours: 'mine' }] }])
    await rolledBack(upgraded)
    const left = sql`select id::int as id from entities.thing where token = 'mine'`
    expect(await rows(deps.db, left)).toEqual([{ id: 2 }])
    expect(await columns()).not.toContain('since')
  })

  test('leave records untouched, so that those which the archive no longer has are deleted', async () => {
    await run(v1())
    await run(generated())
    await installAsPlanned(deps, generated(RECORDS.slice(1)), '&removed=delete')
    expect(await search({ fields: ['id'] })).toEqual([{ id: 2 }, { id: 3 }])
  })
})
