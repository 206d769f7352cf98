import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

const RECORD = `json_build_object('id', id, 'name', name, 'email', email, 'age', age,
  'score', score, 'active', active, 'joined', joined, 'city', city, 'persistenceId', id::text)`

const CREATE = `insert into bench.member (name, email, age, score, active, joined, city)
  values ($1, $2, $3, $4, $5, $6, $7) returning ${RECORD}::text as data`

const UPDATE = `update bench.member set age = $2, active = $3 where id = $1
  returning ${RECORD}::text as data`

const DELETE = 'delete from bench.member where id = $1 returning id'

const BATCH = `with made as (
    insert into bench.member (name, email, age, score, active, joined, city)
    select name, email, age, score, active, joined, city
    from json_to_recordset($1::text::json) as r (name text, email text, age integer,
      score double precision, active boolean, joined timestamptz, city text)
    returning *)
  select json_agg(${RECORD})::text as data from made`

/** Routes that write to tables like ours in the schema `bench`. `first` executes a statement and returns its first row. */
export function writes(sql, first, folder) {
  const texts = new Map()
  /** The records that the archive holds, read before the first measurement. */
  const readings = (name) => {
    if (!texts.has(name)) texts.set(name, readFileSync(join(folder, name), 'utf8'))
    return texts.get(name)
  }

  return {
    '/create': async (_, body) => {
      const { name, email, age, score, active, joined, city } = JSON.parse(body)
      const { data } = await first(CREATE, [name, email, age, score, active, joined, city])
      return `{"data":[${data}]}`
    },

    '/update': async (query, body) => {
      const { age, active } = JSON.parse(body)
      const row = await first(UPDATE, [query.get('id'), age, active])
      return row && `{"data":[${row.data}]}`
    },

    '/delete': async (query) =>
      (await first(DELETE, [query.get('id')])) && '{"data":[{"effected":1}]}',

    '/batch': async (_, body) => `{"data":${(await first(BATCH, [body])).data}}`,

    '/delete-many': async (_, body) => {
      const { from, to } = JSON.parse(body)
      const { count } = await sql`delete from bench.member where id between ${from} and ${to}`
      return `{"data":[{"effected":${count}}]}`
    },

    // The body is received in full; its records need not be unpacked and are inserted as they are.
    '/install': async (query) => {
      const text = readings(query.get('name'))
      const { count } = await sql.begin(
        (transaction) => transaction`
          insert into bench.reading (id, sensor, value, unit, "takenAt", valid, note, raw)
          select id, sensor, value, unit, "takenAt", valid, note, raw
          from jsonb_to_recordset(${text}::text::jsonb) as r (id bigint, sensor text,
            value double precision, unit text, "takenAt" timestamptz, valid boolean, note text,
            raw jsonb)`,
      )
      return `{"data":[{"count":${count}}]}`
    },

    // The same with records that have no key: COPY, which is a transaction.
    '/copy': async (query) => {
      const text = readings(query.get('name'))
      const copy = await sql`
        copy bench.reading (sensor, value, unit, "takenAt", valid, note, raw) from stdin`.writable()
      copy.end(text)
      await finished(copy)
      return '{}'
    },
  }
}
