import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import type { Sql } from 'postgres'
import { COLUMNS, FIELDS } from '../reading-archive'

const LINES_A_STATEMENT = 20_000

/** Seconds of plain SQL for the same upgrade. */
export type Floor = {
  /** The records of the second file, read as JSON into a table. */
  read: number
  /** Both versions in tables: joined by key, compared field by field, changed rows written. */
  compare: number
}

/** Loads both files into tables of the schema `bench`, and times what SQL needs to bring the first to the second. */
export async function measureFloor(
  sql: Sql,
  files: { first: string; second: string },
): Promise<Floor> {
  await sql`create schema if not exists bench`
  for (const table of ['first', 'second']) {
    await sql.unsafe(`drop table if exists bench.${table}`)
    await sql.unsafe(`create unlogged table bench.${table} (like entities.reading including all)`)
  }
  await load(sql, 'first', files.first)
  const read = await load(sql, 'second', files.second)
  await sql.unsafe('vacuum analyze bench.first')
  await sql.unsafe('vacuum analyze bench.second')
  const startedAt = performance.now()
  const columns = FIELDS.split(', ').filter((name) => name !== '"id"')
  const { count } =
    await sql.unsafe(`update bench.first as a set ${columns.map((name) => `${name} = b.${name}`).join(', ')}
    from bench.second as b where a.id = b.id and (${columns.map((name) => `a.${name} is distinct from b.${name}`).join(' or ')})`)
  const compare = (performance.now() - startedAt) / 1000
  if (count === 0) throw new Error('Nothing differed')
  await sql`drop schema bench cascade`
  return { read, compare }
}

/** The seconds that the statements took. */
async function load(sql: Sql, table: string, file: string): Promise<number> {
  let ms = 0
  let lines: string[] = []
  const insert = async () => {
    const text = `[${lines.join(',')}]`
    lines = []
    const startedAt = performance.now()
    await sql.unsafe(
      `insert into bench.${table} (${FIELDS}) select ${FIELDS} from json_to_recordset($1::text::json) as r(${COLUMNS})`,
      [text],
    )
    ms += performance.now() - startedAt
  }
  await pipeline(createReadStream(file), async (stream) => {
    for await (const line of createInterface({
      input: stream as unknown as NodeJS.ReadableStream,
    })) {
      if (line.length < 2) continue
      lines.push(line.replace(/,$/, ''))
      if (lines.length >= LINES_A_STATEMENT) await insert()
    }
  })
  if (lines.length > 0) await insert()
  return ms / 1000
}
