import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { install, verdicts } from '../../testing/plugin-api'
import { deps, ENTITY, version } from '../../testing/versions'

describe('tables that the engine did not make', () => {
  test.each<[string, string, object]>([
    ['in the schema of entities', 'entities', { dbTable: 'foreign_one' }],
    ['elsewhere', 'public', { dbTable: 'foreign_one', dbSchema: 'public' }],
  ])('%s are never touched', async (_, schema, table) => {
    const name = sql`${sql.identifier(schema)}.foreign_one`
    await deps.db.execute(sql`create table ${name} (id int primary key, secret text)`)
    await deps.db.execute(sql`insert into ${name} values (1, 'mine')`)
    const { logs } = await install(
      deps,
      version({ entity: table, records: [{ id: 1, secret: 'theirs' }] }),
    )
    expect(verdicts(logs)).toEqual({
      [ENTITY]: 'Invalid definition',
      'Thing/data.json': 'Missing dependency',
    })
    expect(await rows(deps.db, sql`select * from ${name}`)).toEqual([{ id: 1, secret: 'mine' }])
    await deps.db.execute(sql`drop table ${name}`)
  })

  test.each([
    { dbTable: 'users', dbSchema: 'engine' },
    { dbTable: 'pg_class', dbSchema: 'pg_catalog' },
    { dbTable: 'tables', dbSchema: 'information_schema' },
    { dbTable: 't', dbSchema: 'engine_migrations' },
    { dbTable: 't', dbSchema: 'pg_mine' },
    { dbTable: 'users', dbSchema: 'ENGINE' },
  ])('of the engine and the database are out of reach: %o', async (table) => {
    const { logs } = await install(deps, version({ entity: table, records: [{ id: 1 }] }))
    expect(verdicts(logs)[ENTITY]).toBe('Invalid definition')
    expect(await rows(deps.db, sql`select 1 from engine.entities`)).toEqual([])
  })
})
