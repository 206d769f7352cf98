import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** What the names of databases begin with that the run makes on a server. */
    databasePrefix: string
  }
}

/** Vitest's global set-up: at the end of the run, drops the databases that its workers have made. */
export default function dropDatabases(project: TestProject) {
  const prefix = `engine_test_${crypto.randomUUID().slice(0, 8)}_`
  project.provide('databasePrefix', prefix)
  const server = process.env.TEST_DATABASE_URL
  return server ? () => drop(server, prefix) : undefined
}

async function drop(server: string, prefix: string): Promise<void> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: server })
  await client.connect()
  const query = 'select datname as name from pg_database where starts_with(datname, $1)'
  for (const { name } of (await client.query<{ name: string }>(query, [prefix])).rows)
    await client.query(`drop database if exists ${name} with (force)`)
  await client.end()
}
