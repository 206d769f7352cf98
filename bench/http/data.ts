import type { Sql } from 'postgres'
import { makeReadings, readingArchive } from '../reading-archive'
import type { Call } from './cases'
import { request } from './load'
import { PEOPLE, peopleArchive } from './people'
import type { Mark } from './read-cases'
import type { Server } from './servers'
import { archiveUpload } from './write-cases'

/** Installs people and readings, and makes tables like theirs for the bare server. */
export async function makeTables(engine: Server, sql: Sql): Promise<void> {
  await install(engine, await archiveUpload(await peopleArchive(['Person', 'Member'], PEOPLE)))
  await install(engine, await archiveUpload(await readingArchive([makeReadings(10)])))
  await sql`create schema bench`
  await sql`create table bench.reading (like entities.reading including all)`
  await sql`create table bench.member (like entities.member including all)`
  await alignMembers(sql)
  await withoutTrigrams(sql)
  await sql`vacuum (analyze)`
}

/** Makes the members of both sides alike. */
export async function alignMembers(sql: Sql): Promise<void> {
  await sql`truncate bench.member`
  await sql`insert into bench.member select * from entities.member`
  await sql`select setval(pg_get_serial_sequence('bench.member', 'id'), (select max(id) from bench.member))`
  await sql`vacuum (analyze) entities.member, bench.member`
}

/** A copy of the people without the index that serves patterns. */
async function withoutTrigrams(sql: Sql): Promise<void> {
  await sql`create table bench.person (like entities.person including all)`
  const found = await sql<{ name: string }[]>`
    select indexname as name from pg_indexes
    where schemaname = 'bench' and tablename = 'person' and indexdef like '%gin_trgm_ops%'`
  for (const { name } of found) await sql`drop index bench.${sql(name)}`
  await sql`insert into bench.person select * from entities.person`
}

export async function install(engine: Server, upload: Call): Promise<void> {
  const response = await request(engine.url, upload)
  const text = await response.text()
  if (!response.ok || JSON.parse(text).data.failedCount !== 0) throw new Error(text)
}

/** Removes all readings on both sides, and what is remembered of them, as before a first install. */
export async function emptyReadings(engine: Server, sql: Sql): Promise<void> {
  const body = JSON.stringify({ entity: 'Reading' })
  const call: Call = {
    method: 'DELETE',
    path: '/api/entities/Reading/batch',
    body,
    type: 'application/json',
  }
  const response = await request(engine.url, call)
  if (!response.ok) throw new Error(await response.text())
  await sql`truncate bench.reading, engine.plugin_changes, engine.pending_plugin_records`
  await sql`delete from engine.plugin_records where entity = 'Reading'`
  await sql`vacuum engine.plugin_records, entities.reading`
}

/** Records of the people with the ids of a range, on both sides. */
export async function addPeople(sql: Sql, from: number, to: number): Promise<void> {
  for (const schema of ['entities', 'bench'])
    await sql`
      insert into ${sql(schema)}.member (id, name, email, age, score, active, joined, city)
      select n, 'Ada ' || n, 'ada.' || n || '@example.com', n % 90, n / 7.0, n % 3 = 0, now(), 'City ' || n % 100
      from generate_series(${from}::bigint, ${to}::bigint) as n`
}

/** Positions to continue from, in all depths. */
export async function findMarks(engine: Server): Promise<Mark[]> {
  const marks: Mark[] = []
  let after = ''
  for (let read = 0; read < PEOPLE - 2 * MARK_DISTANCE; read += MARK_DISTANCE) {
    const path = `/api/entities/Person?sort=joined:desc&size=${MARK_DISTANCE}${after}`
    const response = await request(engine.url, { method: 'GET', path })
    const { data, pagination } = await response.json()
    const { joined, id } = data.at(-1)
    marks.push({ cursor: pagination.next, joined, id })
    after = `&cursor=${pagination.next}`
  }
  return marks
}

const MARK_DISTANCE = 100
