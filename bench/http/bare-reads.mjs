import { pipeline } from 'node:stream/promises'
import { bodyOf, list, pageOf } from './bare-json.mjs'

const FIELDS = 'id, name, email, age, score, active, joined, city, id::text as "persistenceId"'

/**
 * Routes that read a table; each returns the body of its response, undefined for a missing record,
 * or writes it itself. `first` executes a statement and returns its first row.
 */
export function reads(first, table, prefix, connect) {
  const one = `select row_to_json(r)::text as data from (select ${FIELDS} from ${table} where id = $1) r`
  const slice = page(table, 'true', 'joined desc, id desc', '$1::int', '$2::int')
  const filters = page(table, 'city = $1 and joined >= $2', 'id')
  const contains = page(table, 'name like $1 and score >= $2', 'id')
  const after = `select ${list(`select ${FIELDS} from ${table} where (joined, id) < ($1, $2)
    order by joined desc, id desc limit $3::int`)} as data`
  const nested = page(
    table,
    '(city = $1 or (age between $2 and $3 and active = $4)) and (score > $5) is not true',
    'joined desc, id desc',
    '20',
  )
  return {
    [`${prefix}/one`]: async (query) => {
      const row = await first(one, [query.get('id')])
      return row && `{"data":[${row.data}]}`
    },
    [`${prefix}/page`]: async (query) =>
      bodyOf(await first(slice, [query.get('size') ?? '10', query.get('offset')])),
    [`${prefix}/filters`]: async (query) =>
      bodyOf(await first(filters, [query.get('city'), query.get('joined')])),
    [`${prefix}/contains`]: async (query) =>
      bodyOf(await first(contains, [`%${query.get('text')}%`, query.get('score') ?? '-1e9'])),
    [`${prefix}/after`]: async (query) => {
      const { data } = await first(after, [query.get('joined'), query.get('id'), query.get('size')])
      return `{"data":${data}}`
    },
    [`${prefix}/search`]: async (_, body) => {
      const { city, from, to, active, score } = JSON.parse(body)
      return bodyOf(await first(nested, [city, from, to, active, score]))
    },
    [`${prefix}/export`]: async (_query, _body, response) => {
      // A connection that has sent a COPY may answer no other statement.
      const own = connect()
      const rows = await own
        .unsafe(`copy (select id, name, email, age, score, city from ${table} order by id)
          to stdout with (format csv, header)`)
        .readable()
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' })
      await pipeline(rows, response)
      await own.end({ timeout: 1 })
    },
  }
}

const page = (table, condition, order, limit, offset) =>
  pageOf(FIELDS, table, condition, order, limit, offset)
