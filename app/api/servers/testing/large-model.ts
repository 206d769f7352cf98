import postgres from 'postgres'
import { type Server, send } from './two-servers'

export const ENTITIES = ['Part', 'Place', 'Price', 'Ticket', 'Visit'] as const
type Name = (typeof ENTITIES)[number]
/** Their records have numbers, which each server counts by itself. */
export const COUNTED: readonly Name[] = ['Ticket', 'Visit']

const keyOf = (name: Name) =>
  COUNTED.includes(name)
    ? { key: 'id', strategy: 'AutoIncrement', type: 'number' }
    : { key: 'id', strategy: 'Fixed', type: 'number' }

export const defineAll = (server: Server) =>
  send(server, 'POST', '/api/model/apply', {
    entities: ENTITIES.map((name) => ({ name, pks: [keyOf(name)] })),
    schemas: ENTITIES.map((name) => ({
      name,
      properties: [
        { name: 'id', type: 'number' },
        { name: 'name', type: 'string' },
        { name: 'amount', type: 'number' },
      ],
    })),
  })

const A_REQUEST = 5_000

/** Creates or changes records, `PUT` and `POST` alike. */
export async function write(server: Server, method: string, name: Name, records: object[]) {
  for (let at = 0; at < records.length; at += A_REQUEST)
    await send(server, method, `/api/entities/${name}/batch`, {
      records: records.slice(at, at + A_REQUEST),
    })
}

export async function remove(server: Server, name: Name, ids: readonly number[]) {
  for (const id of ids) await send(server, 'DELETE', `/api/entities/${name}/${id}`)
}

/** The numbers up to `count` that leave this rest, `step` apart. */
export const numbers = (count: number, rest: number, step: number) =>
  Array.from({ length: count }, (_, n) => n + 1).filter((n) => n % step === rest)

/** What stays of what was done: entries of histories and logs, the trash, counters, what is cached. */
const PASSED = [
  ...['installs', 'install_files', 'plugin_changes', 'plugin_definition_changes', 'audit_log'],
  ...['trash_batches', 'trash_records', 'entity_totals', 'promotions', 'api_keys', 'rate_limits'],
  ...['search_shapes', 'idempotency_keys', 'users', 'pending_plugin_records'],
]

/** A digest of every table but those, by name; of the records alone where the database is embedded. */
export async function digests(server: Server): Promise<Record<string, string>> {
  const { databaseUrl } = server.home
  if (databaseUrl === '') return recordsOf(server)
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const tables = await sql<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('engine', 'entities') and tablename <> all(${PASSED})
        and tablename not like 'entity_total%' and tablename not like 'trash%' order by 1`
    const found: Record<string, string> = {}
    for (const { name } of tables) {
      const [row] = await sql.unsafe(
        `select count(*) || ' ' || coalesce(md5(string_agg(h, '' order by h)), '') as digest
          from (select md5(t::text) as h from ${name} as t) as hashes`,
      )
      found[name] = row?.digest
    }
    return found
  } finally {
    await sql.end()
  }
}

async function recordsOf(server: Server) {
  const found: Record<string, string> = {}
  for (const name of ENTITIES)
    found[name] = JSON.stringify(
      await send(server, 'GET', `/api/entities/${name}?size=1000&sort=id:asc`),
    )
  return found
}
