import type { Client } from 'pg'

/** What tells a replica of a server from anything else. */
export type ServerIdentity = {
  /** Given by `initdb`, and the same for all replicas of a server. */
  system: string
  /** The number of the database that the connection leads to. */
  database: string
  /** Changes when a replica is promoted: a replica of the former primary keeps the former one. */
  timeline: number
  isReplica: boolean
}

const IDENTITY = `
  select (pg_control_system()).system_identifier::text as system,
    (select oid::text from pg_database where datname = current_database()) as database,
    (pg_control_checkpoint()).timeline_id as timeline, pg_is_in_recovery() as "isReplica"`

export async function identify(client: Pick<Client, 'query'>): Promise<ServerIdentity> {
  const { rows } = await client.query<ServerIdentity>(IDENTITY)
  const [identity] = rows
  if (!identity) throw new Error('The server returned no identity')
  return identity
}

/** Why reads must not go there, whatever its lag. */
export class NotAReplicaError extends Error {}

/** Throws `NotAReplicaError`, and an `Error` for what may be over soon. `name` is that of the replica, without its password. */
export function requireReplicaOf(
  primary: ServerIdentity,
  found: ServerIdentity,
  name: string,
): void {
  const refuse = (why: string): never => {
    throw new NotAReplicaError(`DATABASE_REPLICA_URLS: ${name} ${why}`)
  }
  if (found.system !== primary.system) refuse('is a replica of another server, or none')
  if (!found.isReplica)
    refuse('is no replica: it accepts changes. Leave it out, or set the address of a replica')
  if (found.database !== primary.database) refuse('leads to another database than DATABASE_URL')
  if (found.timeline !== primary.timeline)
    throw new Error(`${name} follows another timeline than the primary`)
}
