import type { Client } from 'pg'

/** Throws on a Citus cluster, whose tables are spread over nodes: this backup would not bring them back as they are. */
export async function requirePlainServer(client: Client): Promise<void> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  if (rows.length > 0)
    throw new Error(
      'The database is a Citus cluster, which needs the backup of its provider or of each node',
    )
}
