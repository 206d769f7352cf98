/**
 * The floor of `npm run bench:http`: node:http and postgres.js with its prepared statements, nothing
 * else. The database makes the JSON, which is passed on as it is. Settings: `DATABASE_URL`, `PORT`,
 * `TOKEN`, the text of the header `authorization` that requests must have, and, for installs,
 * `READINGS`: the folder with the records as JSON text.
 */
import { createServer } from 'node:http'
import postgres from 'postgres'
import { places } from './bare-places.mjs'
import { reads } from './bare-reads.mjs'
import { relations } from './bare-relations.mjs'
import { writes } from './bare-writes.mjs'

const { DATABASE_URL, PORT, READINGS, TOKEN } = process.env
const sql = postgres(DATABASE_URL, { max: 10 })
const connect = () => postgres(DATABASE_URL, { max: 1 })
/** The first row of a statement, prepared by its first execution. */
const first = async (text, values) => (await sql.unsafe(text, values, { prepare: true }))[0]
const routes = {
  ...reads(first, 'entities.person', '', connect),
  ...reads(first, 'bench.member', '/member', connect),
  ...reads(first, 'bench.person', '/scanned', connect),
  ...places(first),
  ...relations(first),
  ...writes(sql, first, READINGS),
}

createServer(async (request, response) => {
  if (request.headers.authorization !== TOKEN) return response.writeHead(401).end()
  const [path, query] = request.url.split('?')
  const body = request.method === 'GET' ? '' : await received(request)
  const text = await routes[path](new URLSearchParams(query), body, response)
  if (response.headersSent) return
  response.writeHead(text === undefined ? 404 : 200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text ?? ''),
  })
  response.end(text)
}).listen(Number(PORT), '127.0.0.1')

async function received(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
