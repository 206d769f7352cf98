import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { installTestEntity } from '@/lib/testing/entity'
import { above, deps, left, remove } from './testing/things'

describe('records that others refer to', () => {
  beforeEach(async () => {
    await installTestEntity(
      deps,
      {
        entity: { name: 'Part' },
        schema: {
          properties: [
            { name: 'thing', type: 'integer', reference: { entity: 'Thing', field: 'id' } },
          ],
        },
      },
      [{ thing: 3 }],
    )
  })

  test('stay, and so does everything else that matched', async () => {
    for (const body of [{ entity: 'Thing' }, { entity: 'Thing', query: [above(-1)] }]) {
      const { status, body: response } = await remove(body)
      expect(status).toBe(409)
      expect(response.error).toContain('"Part"')
    }
    expect(await left()).toBe(25)
    const audited = await rows(deps.db, sql`select 1 from engine.audit_log`)
    expect(audited).toEqual([])
  })

  test('are listed by the dry run and the refusal, with the number of references', async () => {
    const blockedBy = [{ entity: 'Part', field: 'thing', count: 1 }]
    for (const body of [{ entity: 'Thing' }, { entity: 'Thing', query: [above(1)] }]) {
      const tried = await remove(body, 'dryRun=true')
      expect(tried.body.meta).toEqual({ dryRun: true, blockedBy })
      const refused = await remove(body)
      expect(refused.body).toMatchObject({ code: 409, meta: { blockedBy } })
      expect(refused.body.error).toContain('1 record of "Part" (by "thing")')
    }
    const free = await remove({ entity: 'Thing', query: [above(2)] }, 'dryRun=true')
    expect(free.body).toMatchObject({ data: [{ effected: 22 }], meta: { dryRun: true } })
    expect(free.body.meta).toEqual({ dryRun: true })
  })

  test('of their own entity only block when they stay', async () => {
    const properties = [
      { name: 'parent', type: 'integer', reference: { entity: 'Node', field: 'id' } },
    ]
    await installTestEntity(deps, { entity: { name: 'Node' }, schema: { properties } }, [
      {},
      { parent: 1 },
      { parent: 1 },
    ])
    const node = (query: object[], parameters = '') =>
      remove({ entity: 'Node', query }, parameters, 'Node')
    const root = [{ field: 'id', operator: 'lte', value: 2 }]
    expect((await node(root, 'dryRun=true')).body.meta).toEqual({
      dryRun: true,
      blockedBy: [{ entity: 'Node', field: 'parent', count: 1 }],
    })
    expect((await node(root)).status).toBe(409)
    expect((await node([], 'dryRun=true')).body.meta).toEqual({ dryRun: true })
    expect((await node([])).body.data).toEqual([{ effected: 3 }])
  })

  test('include none without references', async () => {
    expect((await remove({ entity: 'Thing', query: [above(2)] })).body.data).toEqual([
      { effected: 22 },
    ])
    await remove({ entity: 'Part' }, '', 'Part')
    expect(await left('part')).toBe(0)
    expect((await remove({ entity: 'Thing' })).body.data).toEqual([{ effected: 3 }])
  })
})
