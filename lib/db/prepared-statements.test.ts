import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { freshDeps, testsOnPostgres, testsThroughPooler } from '@/lib/testing/deps'
import { PreparedStatements } from './prepared-statements'
import { type Db, one, rows } from './sql'

const deps = freshDeps()

const preparedLike = async (tx: Db, part: string) => {
  const query = sql`select count(*)::int as n from pg_prepared_statements where strpos(statement, ${part}) > 0`
  return one(await rows<{ n: number }>(tx, query)).n
}

// The embedded database keeps its session, and what is prepared in it, when a connection is replaced; a pooler keeps none.
const prepares = testsOnPostgres() && !testsThroughPooler()

test('a statement that comes again is prepared once on PostgreSQL, one with a pattern never', async () => {
  await deps.db.transaction(async (tx) => {
    for (let n = 0; n < 12; n++) {
      await tx.execute(sql`select ${n}::int + 41 as sum`)
      await tx.execute(sql`select ${`a${n}`}::text ilike 'b' as found`)
    }
    expect(await preparedLike(tx, '+ 41')).toBe(prepares ? 1 : 0)
    expect(await preparedLike(tx, 'ilike')).toBe(0)
  })
})

test('what is prepared follows the changes of tables', async () => {
  await deps.db.transaction(async (tx) => {
    await tx.execute(sql`create table entities.changing (id int, n int)`)
    await tx.execute(sql`insert into entities.changing values (1, 7)`)
    const read = (id: number) =>
      rows(
        tx,
        sql`select to_jsonb(t) as record from (select * from entities.changing where id = ${id}) t`,
      )
    for (let n = 0; n < 7; n++) expect(await read(1)).toEqual([{ record: { id: 1, n: 7 } }])
    await tx.execute(
      sql`alter table entities.changing add extra text default 'x', alter n type text`,
    )
    expect(await read(1)).toEqual([{ record: { id: 1, n: '7', extra: 'x' } }])
    await tx.execute(sql`drop table entities.changing`)
  })
})

test('what is prepared may come to return other columns', async () => {
  const { db } = deps
  await db.execute(sql`create table entities.changing (id int)`)
  await db.execute(sql`insert into entities.changing values (1)`)
  const read = () => rows(db, sql`select * from entities.changing where id = ${1}`)
  for (let n = 0; n < 7; n++) expect(await read()).toEqual([{ id: 1 }])
  await db.execute(sql`alter table entities.changing add extra text default 'x'`)
  for (let n = 0; n < 7; n++) expect(await read()).toEqual([{ id: 1, extra: 'x' }])
})

test.runIf(prepares)(
  'a transaction that meets such a change is refused, and can be repeated',
  async () => {
    const { db } = deps
    await db.execute(sql`create table entities.changing (id int)`)
    const read = (tx: Db) => tx.execute(sql`select * from entities.changing where id = ${1}`)
    // One connection: the pool gives the one that was released last.
    for (let n = 0; n < 7; n++) await read(db)
    await db.execute(sql`alter table entities.changing add extra text`)
    const repeat = () => db.transaction((tx) => read(tx))
    await expect(repeat()).rejects.toMatchObject({ cause: { code: 'unavailable' } })
    await repeat()
  },
)

test('names are given to texts that come again, and to few of them', () => {
  const statements = new PreparedStatements()
  const connection = {}
  const nameOf = (text: string) =>
    (statements.named(connection, { text }) as { name?: string }).name
  expect(nameOf('select $1')).toBeUndefined()
  expect(nameOf('select $1')).toBe(nameOf('select $1'))
  expect(statements.isFull(connection)).toBe(false)
  for (let n = 0; n < 2_000; n++) for (let time = 0; time < 2; time++) nameOf(`select $1 + ${n}`)
  expect(statements.isFull(connection)).toBe(true)
  expect(nameOf('select $1')).toBeUndefined()
})

test('a connection that was closed leaves nothing behind that hinders the next one', async () => {
  const read = (n: number) => rows(deps.db, sql`select ${n}::int * 2 as twice`)
  for (let n = 0; n < 4; n++) expect(await read(n)).toEqual([{ twice: 2 * n }])
  const pool = (deps.db as unknown as { $client: { connect(): Promise<Connection> } }).$client
  const connection = await pool.connect()
  const raw = connection as unknown as { releaseRaw(destroy: boolean): void; isReleased: boolean }
  raw.isReleased = true
  raw.releaseRaw(true)
  for (let n = 0; n < 14; n++) expect(await read(n)).toEqual([{ twice: 2 * n }])
})

type Connection = { release(): void }
