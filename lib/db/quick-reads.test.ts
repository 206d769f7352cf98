import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { AppError } from '@/lib/errors'
import { freshDeps, testsOnPostgres, testsThroughPooler } from '@/lib/testing/deps'
import { withBudget } from './budget'
import { CompiledStatement } from './compiled-statement'
import { MAY_TAKE_LONG } from './prepared-statements'
import { readTexts } from './read-texts'
import { one, rows } from './sql'

const deps = freshDeps()

const ECHO = new CompiledStatement(
  sql`select ${sql.placeholder('text')}::text, null, 7, ${'kept'}::text`,
)
const SLEEP = new CompiledStatement(sql`select pg_sleep(${sql.placeholder('seconds')}::float8)`)
const BACKEND = new CompiledStatement(sql`select pg_backend_pid()`)

const echo = (text: string) => readTexts(deps.db, ECHO, { text })
const sleep = (seconds: string) => readTexts(deps.db, SLEEP, { seconds })
const runningSleeps = async () =>
  one(
    await rows<{ n: number }>(
      deps.db,
      sql`select count(*)::int as n from pg_stat_activity
        where state = 'active' and pid <> pg_backend_pid() and query ~ '^select.* pg_sleep'`,
    ),
  ).n

test('values come as texts, each time and side by side', async () => {
  for (const text of ['plain', 'ß 漢 🎈', '', 'it\'s \\ "quoted"', 'x'.repeat(100_000)])
    for (let n = 0; n < 3; n++) expect(await echo(text)).toEqual([[text, null, '7', 'kept']])
  const texts = Array.from({ length: 60 }, (_, n) => `text ${n}`)
  const found = await Promise.all(texts.map(echo))
  expect(found.map(([row]) => row?.[0])).toEqual(texts)
})

test('what fails is known by its code, and what comes next works', async () => {
  const divide = new CompiledStatement(sql`select 1 / ${sql.placeholder('by')}::int`)
  for (let n = 0; n < 3; n++) {
    await expect(readTexts(deps.db, divide, { by: '0' })).rejects.toMatchObject({ code: '22012' })
    expect(await readTexts(deps.db, divide, { by: '1' })).toEqual([['1']])
    const together = ['1', '0', '-1'].map((by) => readTexts(deps.db, divide, { by }))
    expect(await Promise.allSettled(together)).toMatchObject([
      { value: [['1']] },
      { reason: { code: '22012' } },
      { value: [['-1']] },
    ])
  }
})

test('a result of other types is read again', async () => {
  await deps.db.execute(sql`create table entities.changing (n int)`)
  await deps.db.execute(sql`insert into entities.changing values (7)`)
  const read = new CompiledStatement(sql`select n from entities.changing`)
  for (let n = 0; n < 7; n++) expect(await readTexts(deps.db, read, {})).toEqual([['7']])
  await deps.db.execute(sql`alter table entities.changing alter n type text using n || ' now'`)
  for (let n = 0; n < 3; n++) expect(await readTexts(deps.db, read, {})).toEqual([['7 now']])
})

const isOnPostgres = testsOnPostgres() && !testsThroughPooler()

test.runIf(isOnPostgres)('what waits behind one that takes long is sent again, alone', async () => {
  const statement = new CompiledStatement(
    sql`select ${MAY_TAKE_LONG} pg_sleep(${sql.placeholder('seconds')}::float8)`,
  )
  const ended: string[] = []
  const run = async (seconds: string) => {
    await readTexts(deps.db, statement, { seconds })
    ended.push(seconds)
  }
  await Promise.all(['0', '0.9', '0.01', '0.02'].map(run))
  expect(ended.indexOf('0.9')).toBe(3)
  await expect.poll(runningSleeps).toBe(0)
  expect(await echo('afterwards')).toEqual([['afterwards', null, '7', 'kept']])
})

test.runIf(isOnPostgres)('a long statement ends with its time, or its client', async () => {
  await sleep('0')
  for (const ms of [20, 200]) {
    const late = withBudget({ ms, exceeded: () => new AppError('unavailable', 'late') }, () =>
      sleep('60'),
    )
    await expect(late).rejects.toThrow('late')
  }
  const client = new AbortController()
  const left = withBudget({ signal: client.signal }, () => sleep('60'))
  await expect.poll(runningSleeps).toBe(1)
  client.abort()
  await expect(left).rejects.toThrow('The client left')
  await expect.poll(runningSleeps).toBe(0)
  expect(await echo('afterwards')).toEqual([['afterwards', null, '7', 'kept']])
})

test.runIf(isOnPostgres)('a connection that broke unused or in use is replaced', async () => {
  const pidNow = async () => (await readTexts(deps.db, BACKEND, {}))[0]?.[0]
  await Promise.all([pidNow(), pidNow()])
  const [ended, next] = await deps.db.transaction(async (tx) => {
    const unused = await pidNow()
    await tx.execute(sql`select pg_terminate_backend(${unused}::int, 1000)`)
    return [unused, await pidNow()]
  })
  expect(next).not.toBe(ended)
  const reading = sleep('0.5')
  await expect.poll(runningSleeps).toBe(1)
  const [running] = await rows<{ pid: number }>(
    deps.db,
    sql`select pid from pg_stat_activity where state = 'active' and query like 'select pg_sleep(%'`,
  )
  await deps.db.execute(sql`select pg_terminate_backend(${running?.pid}::int)`)
  expect(await reading).toEqual([['']])
})
