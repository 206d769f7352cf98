import { pipeline } from 'node:stream/promises'

/** Routes that read; each returns the body of its response, or writes it itself. */
export const reads = (sql, connect) => ({
  '/page': async (query) => {
    const offset = Number(query.get('offset'))
    const size = Number(query.get('size') ?? 10)
    const [data, [{ total }]] = await Promise.all([
      sql`select id, name, email, age, score, active, joined, city, id::text as "persistenceId"
        from entities.person order by joined desc, id desc limit ${size} offset ${offset}`,
      sql`select count(*) as total from entities.person`,
    ])
    return page(data, total, offset / size, size)
  },

  '/after': async (query) => {
    const data = await sql`
      select id, name, email, age, score, active, joined, city, id::text as "persistenceId"
      from entities.person where (joined, id) < (${query.get('joined')}, ${query.get('id')})
      order by joined desc, id desc limit 11`
    const last = data.length > 10 ? data[9] : null
    const next = last && Buffer.from(JSON.stringify([last.joined, last.id])).toString('base64url')
    const pagination = { current: null, total: null, pages: null, first: false, last: !last, next }
    return { data: data.slice(0, 10), pagination }
  },

  '/filters': async (query) => {
    const [city, age] = [query.get('city'), query.get('age')]
    const score = query.get('score') ?? -1e9
    const [data, [{ total }]] = await Promise.all([
      sql`select id, name, email, age, score, active, joined, city, id::text as "persistenceId"
        from entities.person where city = ${city} and age >= ${age} and score >= ${score}
        order by id limit 10`,
      sql`select count(*) as total from entities.person
        where city = ${city} and age >= ${age} and score >= ${score}`,
    ])
    return page(data, total, 0, 10)
  },

  '/contains': async (query) => {
    const pattern = `%${query.get('text')}%`
    const score = query.get('score') ?? -1e9
    const [data, [{ total }]] = await Promise.all([
      sql`select id, name, email, age, score, active, joined, city, id::text as "persistenceId"
        from entities.person where name like ${pattern} and score >= ${score}
        order by id limit 10`,
      sql`select count(*) as total from entities.person
        where name like ${pattern} and score >= ${score}`,
    ])
    return page(data, total, 0, 10)
  },

  '/contains-by-scan': async (query) => {
    const pattern = `%${query.get('text')}%`
    const score = query.get('score') ?? -1e9
    const [data, [{ total }]] = await Promise.all([
      sql`select id, name, email, age, score, active, joined, city, id::text as "persistenceId"
        from bench.person where name like ${pattern} and score >= ${score}
        order by id limit 10`,
      sql`select count(*) as total from bench.person
        where name like ${pattern} and score >= ${score}`,
    ])
    return page(data, total, 0, 10)
  },

  '/one': async (query) => ({
    data: await sql`
      select id, name, email, age, score, active, joined, city, id::text as "persistenceId"
      from entities.person where id = ${query.get('id')}`,
  }),

  '/search': async (_, body) => {
    const { city, from, to, active, score } = JSON.parse(body)
    const [data, [{ total }]] = await Promise.all([
      sql`select id, name, email, age, score, active, joined, city, id::text as "persistenceId"
        from entities.person
        where (city = ${city} or (age between ${from} and ${to} and active = ${active}))
          and (score > ${score}) is not true
        order by joined desc, id desc limit 20`,
      sql`select count(*) as total from entities.person
        where (city = ${city} or (age between ${from} and ${to} and active = ${active}))
          and (score > ${score}) is not true`,
    ])
    return page(data, total, 0, 20)
  },

  '/export': async (_query, _body, response) => {
    // A connection that has sent a COPY may answer no other statement.
    const own = connect()
    const rows = await own`
      copy (select id, name, email, age, score, city from entities.person order by id)
      to stdout with (format csv, header)`.readable()
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' })
    await pipeline(rows, response)
    await own.end({ timeout: 1 })
  },
})

function page(data, total, current, size) {
  const pages = Math.ceil(total / size)
  return {
    data,
    pagination: { current, total, pages, first: current === 0, last: current >= pages - 1 },
  }
}
