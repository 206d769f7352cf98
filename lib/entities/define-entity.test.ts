import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import type { Deps } from '@/lib/runtime'
import { testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'

let deps: Deps
beforeEach(async () => {
  deps = await testDeps()
})

describe('a new entity', () => {
  test('has a typed column for each property', async () => {
    const types = 'text string tinyint smallint integer bigint number double decimal price boolean'
    const more = 'bit date Date datetime time json object array email'
    const names = `${types} ${more}`.split(' ').map((type, at) => ({ name: `f${at}`, type }))
    await installTestEntity(deps, {
      entity: { name: 'AllTypes', auditable: true },
      schema: { properties: names },
    })
    const columns = await columnsOf('all_types')
    expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toEqual({
      id: 'bigint',
      f0: 'text',
      f1: 'text',
      f2: 'smallint',
      f3: 'smallint',
      f4: 'bigint',
      f5: 'bigint',
      f6: 'double precision',
      f7: 'double precision',
      f8: 'numeric',
      f9: 'numeric',
      f10: 'boolean',
      f11: 'boolean',
      f12: 'date',
      f13: 'timestamp(3) with time zone',
      f14: 'timestamp(3) with time zone',
      f15: 'time without time zone',
      f16: 'jsonb',
      f17: 'jsonb',
      f18: 'jsonb',
      f19: 'text',
      CreatedAt: 'timestamp(3) with time zone',
      CreatedBy: 'text',
      LastUpdatedAt: 'timestamp(3) with time zone',
      LastUpdatedBy: 'text',
      $extra: 'jsonb',
    })
    expect(columns[0]?.name).toBe('id')
  })
})

export const columnsOf = (table: string) =>
  rows<{ name: string; type: string; required: boolean }>(
    deps.db,
    sql`select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required
        from pg_attribute where attrelid = ('entities.' || quote_ident(${table}))::regclass
        and attnum > 0 and not attisdropped order by attnum`,
  )
