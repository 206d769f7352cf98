import { createConnection, type NetConnectOpts } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'
import { asLost, codeOf, reasonOf } from './errors'

export const CONNECT_TIMEOUT_MS = 4_000
/**
 * A statement that waits longer for a lock fails, so that waiting requests don't hold connections
 * for long; installs set their own limit.
 */
const LOCK_TIMEOUT_MS = 2_000

/** The settings of every connection to `url`, whose parameters mean what they mean to libpq. */
export const connectionOptions = (url: string): ClientConfig => ({
  ...toClientConfig(parse(url, { useLibpqCompat: true })),
  application_name: 'engine',
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
})

type Settings = Record<string, string>

/** All that a connection to a pooler may set: PgBouncer makes other server connections the same. */
export const POOLED: Settings = { TimeZone: 'UTC', standard_conforming_strings: 'on' }

/** For the transactions of such a connection. */
export const LOCK_TIMEOUT = `set local lock_timeout = ${LOCK_TIMEOUT_MS}`

const SETTINGS: Settings = {
  ...POOLED,
  lock_timeout: String(LOCK_TIMEOUT_MS),
  // A server that has lost this client releases its locks within a minute.
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
  // A statement ends soon after the process that sent it.
  client_connection_check_interval: '5000',
}

/**
 * Configures a new connection. Uses a statement instead of start-up parameters, which poolers
 * refuse; skips settings that this server does not have.
 */
export async function prepareConnection(
  client: Pick<Client, 'query'>,
  settings = SETTINGS,
): Promise<void> {
  await client.query({
    // Not by 'pg_settings', of which a server makes each row, for each connection.
    text: `select set_config(name, value, false) from json_each_text($1::json) as given(name, value)
      where current_setting(name, true) is not null`,
    values: [JSON.stringify(settings)],
    query_timeout: CONNECT_TIMEOUT_MS,
  } as { text: string; values: unknown[] })
}

/** An open, configured connection outside the pool. Close it by `end`. */
export async function connectOnce(url: string, settings = SETTINGS): Promise<Client> {
  const client = new Client(connectionOptions(url))
  client.on('error', () => {}) // statements fail by themselves; without a listener the process would end
  try {
    await client.connect()
    await prepareConnection(client, settings)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/**
 * Rejects when the server does not respond to a new connection in time; a refusal is a response.
 */
export async function probeServer(url: string, timeoutMs: number): Promise<void> {
  const client = new Client({ ...connectionOptions(url), connectionTimeoutMillis: timeoutMs })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query({ text: 'select 1', query_timeout: timeoutMs } as { text: string })
  } finally {
    void client.end().catch(() => {})
  }
}

const CANCEL_REQUEST = 80_877_102

/**
 * Asks the server to stop what `client` runs (PostgreSQL, "Canceling Requests in Progress").
 * Resolves when the request was sent; whether it had an effect is not known.
 */
export function cancelStatement(client: Client): Promise<void> {
  const { processID, secretKey } = client as unknown as { processID: number; secretKey: number }
  const message = Buffer.alloc(16)
  message.writeInt32BE(16, 0)
  message.writeInt32BE(CANCEL_REQUEST, 4)
  message.writeInt32BE(processID, 8)
  message.writeInt32BE(secretKey, 12)
  return new Promise((resolve, reject) => {
    const socket = createConnection(addressOf(client), () => socket.write(message))
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy())
    socket.once('error', reject)
    socket.once('close', () => resolve())
  })
}

function addressOf({ host, port }: Client): NetConnectOpts {
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

/** The server and database of an address, without its credentials. */
function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url)
  return `${host || searchParams.get('host') || 'localhost'}${pathname}`
}

/**
 * What `connecting` resolves to. A connection that fails names the setting and where its address leads, and keeps
 * the code of the error.
 */
export async function named<T>(variable: string, url: string, connecting: Promise<T>): Promise<T> {
  try {
    return await connecting
  } catch (thrown) {
    const error = asLost(thrown)
    if (!(error instanceof Error) || !codeOf(error)) throw error
    // Of a name with several addresses there is no message.
    const reason = reasonOf(error)
    const message = `${variable} (${placeOf(url)}): ${reason === 'AggregateError' ? codeOf(error) : reason}`
    const { syscall } = error as NodeJS.ErrnoException
    throw Object.assign(new Error(message, { cause: error }), { code: codeOf(error), syscall })
  }
}
