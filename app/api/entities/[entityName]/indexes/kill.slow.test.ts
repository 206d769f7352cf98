import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Command } from '@/app/api/plugins/testing/engine-child'
import { text, version } from '@/app/api/plugins/testing/versions'
import { archiveOf } from '@/lib/testing/archive'
import { bundleServer } from '@/lib/testing/bundle-script'
import { testsOnPostgres } from '@/lib/testing/deps'
import { EngineProcess, type Home, makeHome } from '@/lib/testing/engine-process'
import { killMoments, killRounds } from '@/lib/testing/kills'

const KILLS = killRounds(2, 20)
const moment = killMoments('index')
const COUNT = 40_000
const INDEX = { fields: ['name'], kind: 'trigram' }

type Response = { status: number; body: { data: { name: string }[] } }
type IndexState = { isValid: boolean; isReady: boolean }

let home: Home
let bundle: string
let engine: EngineProcess

const sql = <Row>(statement: string) => engine.ask<Row[]>({ name: 'sql', text: statement })

async function send(command: Command): Promise<string> {
  const { status, body } = await engine.ask<Response>(command)
  expect({ body, isDone: status < 300 }).toMatchObject({ isDone: true })
  return body.data[0]?.name ?? ''
}

const add = () => send({ name: 'add index', entity: 'Thing', index: INDEX })
const drop = (index: string) => send({ name: 'drop index', entity: 'Thing', index })

/** Added indexes in the database, and whether the registry says that they are ready. */
const added = () =>
  sql<IndexState>(`
    select i.indisvalid as "isValid", e.added_indexes::text like '%readyAt%' as "isReady"
    from pg_index as i join pg_class as c on c.oid = i.indexrelid
    cross join engine.entities as e
    where c.relname like 'ax%' and e.name = 'Thing'`)

/** The rounds of the background job are 30 s apart; a build without its process goes on to its end. */
const until = (found: IndexState[]) => expect.poll(added, { timeout: 90_000 }).toEqual(found)
const READY = [{ isValid: true, isReady: true }]

beforeAll(async () => {
  bundle = await bundleServer('app/api/plugins/testing/engine-child.ts')
  home = await makeHome()
  engine = await EngineProcess.start(bundle, home)
  const archive = join(home.folder, 'things.zip')
  writeFileSync(archive, await archiveOf(version({ properties: [text('name')] })))
  await send({ name: 'install', archive, query: '' })
  await sql(`
    insert into entities.thing (id, name)
    select n, md5(n::text) || md5((n * 7)::text) from generate_series(1, ${COUNT}) as n`)
}, 120_000)
afterAll(async () => {
  await engine.kill()
  await home.remove()
})

async function timeOfBuild(): Promise<number> {
  const startedAt = performance.now()
  const index = await add()
  await until(READY)
  const time = performance.now() - startedAt
  await drop(index)
  await until([])
  return time
}

test(`an index is built by the next process when the first is killed meanwhile, ${KILLS} times`, async () => {
  const time = await timeOfBuild()
  for (let kill = 0; kill < KILLS; kill++) {
    const index = await add()
    await new Promise((resolve) => setTimeout(resolve, moment() * time))
    await engine.kill()
    engine = await EngineProcess.start(bundle, home)
    await until(READY)
    await drop(index)
    await until([])
  }
}, 600_000)

test.runIf(testsOnPostgres())(
  'an index whose build ended with the database connection is dropped and built again',
  async () => {
    const other = postgres(home.databaseUrl, { max: 1 })
    const reader = await other.reserve()
    // A build waits for transactions that began before it.
    await reader`begin isolation level repeatable read`
    await reader`select from entities.thing limit 1`
    const index = await add()
    const builder = () =>
      sql<{ pid: number }>(
        `select pid from pg_stat_progress_create_index where phase like 'waiting%'`,
      )
    await expect.poll(builder).toMatchObject([{ pid: expect.any(Number) }])
    await engine.kill()
    for (const { pid } of await reader<
      { pid: number }[]
    >`select pid from pg_stat_progress_create_index`)
      await reader`select pg_terminate_backend(${pid})`
    await reader`rollback`
    reader.release()
    await other.end()
    engine = await EngineProcess.start(bundle, home)
    await until(READY)
    await drop(index)
    await until([])
  },
  600_000,
)
