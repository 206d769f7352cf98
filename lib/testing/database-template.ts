import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

declare module 'vitest' {
  interface ProvidedContext {
    /** With TEST_DATABASE_URL: what the databases of its tests are copies of. */
    databaseTemplate: DatabaseTemplate | null
  }
}

/**
 * A database of this name with all migrations. On a Citus cluster it is on every node; `nodes` are their addresses, the
 * coordinator's first. Elsewhere that is the server's alone. The names of the run's databases begin with `prefix`.
 */
export type DatabaseTemplate = { name: string; nodes: string[]; prefix: string }

const MIGRATIONS = 'drizzle'

/** The template on a server, or on the cluster whose coordinator it is: made once for each set of migrations. */
export async function makeDatabaseTemplate(server: string): Promise<DatabaseTemplate> {
  const nodes = await nodesOf(server)
  const name = `engine_template_${fingerprint()}`
  const held = await connect(server)
  await held.query('select pg_advisory_lock(13132)') // other runs wait for the template
  try {
    const { rowCount } = await held.query('select from pg_database where datname = $1', [name])
    if (!rowCount) await make(nodes, name)
  } finally {
    await held.end()
  }
  return { name, nodes, prefix: `engine_test_${randomUUID().slice(0, 8)}_` }
}

/** Drops the databases of a run that has ended: those that its workers kept. */
export async function dropDatabases({ nodes, prefix }: DatabaseTemplate): Promise<void> {
  for (const node of nodes) {
    const client = await connect(node)
    const like = `${prefix}%`
    const { rows } = await client.query('select datname from pg_database where datname like $1', [
      like,
    ])
    for (const { datname } of rows)
      await client.query(`drop database if exists ${datname} with (force)`)
    await client.end()
  }
}

/** The database's name is the same on every node. */
const atNode = (node: string, name: string): string =>
  Object.assign(new URL(node), { pathname: `/${name}` }).href

async function nodesOf(server: string): Promise<string[]> {
  const client = await connect(server)
  try {
    const { rowCount } = await client.query("select from pg_extension where extname = 'citus'")
    if (!rowCount) return [server]
    const found = await client.query<{ nodename: string; nodeport: number }>(
      'select nodename, nodeport from pg_dist_node order by groupid',
    )
    const nodes = found.rows.map(
      ({ nodename, nodeport }) =>
        Object.assign(new URL(server), { hostname: nodename, port: String(nodeport) }).href,
    )
    return nodes.length < 2 ? [server] : nodes
  } finally {
    await client.end()
  }
}

/** Under another name until it is complete. Nobody may be connected to what is copied, Citus included. */
async function make(nodes: readonly string[], name: string): Promise<void> {
  const draft = `${name}_draft`
  for (const node of nodes) {
    await query(node, `drop database if exists ${draft} with (force)`, `create database ${draft}`)
    if (nodes.length > 1) await query(atNode(node, draft), 'create extension citus')
  }
  const [coordinator = '', ...workers] = nodes
  if (workers.length > 0) await joinCluster(atNode(coordinator, draft), coordinator, workers)
  const { applyMigrations } = await import('@/lib/db/migrations')
  const { drizzle } = await import('drizzle-orm/node-postgres')
  const client = await connect(atNode(coordinator, draft))
  await applyMigrations(drizzle(client))
  await client.end()
  for (const node of nodes.toReversed())
    await query(
      node,
      `alter database ${draft} with allow_connections false`,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${draft}'`,
      `alter database ${draft} rename to ${name}`,
    )
}

async function joinCluster(database: string, coordinator: string, workers: readonly string[]) {
  const add = workers.map((node) => `select citus_add_node(${addressOf(node)})`)
  await query(database, `select citus_set_coordinator_host(${addressOf(coordinator)})`, ...add)
}

const addressOf = (node: string) => `'${new URL(node).hostname}', ${new URL(node).port}`

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function query(url: string, ...statements: string[]): Promise<void> {
  const client = await connect(url)
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A hash of everything that determines the template. */
function fingerprint(): string {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  const hash = createHash('sha256')
  for (const name of files.sort()) hash.update(readFileSync(join(MIGRATIONS, name)))
  hash.update(readFileSync('lib/testing/database-template.ts'))
  return hash.digest('hex').slice(0, 16)
}
