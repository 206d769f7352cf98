/**
 * The floor of `npm run bench:http`: what a developer would write by hand with node:http and
 * postgres.js, for one table, without checks, rights or logs. `DATABASE_URL`, `PORT` and, for
 * installs, `READINGS`: the folder with the records as JSON text.
 */
import { createServer } from 'node:http'
import postgres from 'postgres'
import { reads } from './bare-reads.mjs'
import { writes } from './bare-writes.mjs'

const sql = postgres(process.env.DATABASE_URL, {
  max: 10,
  types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
})
const connect = () => postgres(process.env.DATABASE_URL, { max: 1 })
const routes = { ...reads(sql, connect), ...writes(sql, process.env.READINGS) }

createServer(async (request, response) => {
  const url = new URL(request.url, 'http://bare')
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const answer = await routes[url.pathname](url.searchParams, Buffer.concat(chunks), response)
  if (!answer) return
  const text = JSON.stringify({
    ...answer,
    timestamp: Date.now(),
    code: 200,
    status: 'OK',
    meta: {},
  })
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}).listen(Number(process.env.PORT), '127.0.0.1')
