import { AppError, messageOf } from '@/lib/errors'

/** What both drivers report about a failed statement. */
export type DatabaseError = {
  /** SQLSTATE, five characters. */
  code: string
  message: string
  detail?: string
  constraint?: string
  column?: string
}

/**
 * The error that drizzle wrapped. Checks the shape instead of `instanceof`: the database is opened
 * in one bundle and used in others, each with a `DrizzleQueryError` class of its own.
 */
function unwrap(error: unknown): unknown {
  const isQueryError = error instanceof Error && 'query' in error && 'params' in error
  return isQueryError && !('code' in error) ? error.cause : error
}

/** The database's own error within a thrown value, or null when it is not from the database. */
export function databaseError(error: unknown): DatabaseError | null {
  const inner = unwrap(error)
  if (!(inner instanceof Error) || !('code' in inner)) return null
  const { code } = inner
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return null
  const { detail, constraint, constraint_name, column, column_name } = inner as unknown as Partial<
    Record<string, string>
  >
  return {
    code: code === INTERNAL ? (causeOf(inner.message) ?? code) : code,
    message: inner.message,
    detail,
    constraint: constraint ?? constraint_name ?? constraintOfShard(inner.message),
    column: column ?? column_name,
  }
}

/** Nodes of a Citus cluster say it in the message alone, with the number of a shard. */
const constraintOfShard = (message: string): string | undefined =>
  / constraint "(.+)_\d+"/.exec(message)?.[1]

const INTERNAL = 'XX000'

/** What happened on a node of a Citus cluster, of which the coordinator passes on the message alone. */
const causeOf = (message: string): string | undefined =>
  REFUSALS.find(([text]) => message.includes(text))?.[1]

const REFUSALS = [
  ['violates unique constraint', '23505'],
  ['violates foreign key constraint', '23503'],
  ['violates not-null constraint', '23502'],
  ['violates check constraint', '23514'],
  ['exceeds btree version', '54000'],
  ['exceeds maximum', '54000'],
  ['out of range', '22003'],
  ['terminating connection due to', '57P01'],
  ['the database system is', '57P03'],
  // What libpq and Citus say of a worker that is away, or went away meanwhile.
  ...[
    'failure on connection marked as essential',
    'server closed the connection unexpectedly',
    'connection has been closed unexpectedly',
    'connection not open',
    'no connection to the server',
    'lost synchronization with server',
    'could not receive data from server',
    'could not send data to server',
    'could not connect to',
    'could not establish any connections to the node',
    'connection to the remote node',
    'connection to server at',
    'Connection refused',
    'Connection reset by peer',
    'Connection timed out',
    'Broken pipe',
    'timeout expired',
  ].map((text) => [text, '08006'] as const),
  // What poolers say of a server that is away, or of the time for which a client waited for one.
  ...[
    'server conn crashed',
    'server_login_retry',
    'query_wait_timeout',
    'no more connections allowed',
    'pooler is shut',
    'pgbouncer cannot connect to server',
  ].map((text) => [text, '08006'] as const),
] as const

export const isUniqueViolation = (error: unknown) => databaseError(error)?.code === '23505'

/** A lock timeout or a deadlock. */
export const isContention = (error: unknown) =>
  ['40P01', '40001', '55P03'].includes(databaseError(error)?.code ?? '')

/** A table or record was locked for longer than a statement waits. */
export const isLockTimeout = (error: unknown) => databaseError(error)?.code === '55P03'

/** A statement was stopped by its time limit. */
export const isTimeout = (error: unknown) => databaseError(error)?.code === '57014'

/** A table or column that a statement names is missing. */
export const isMissing = (error: unknown) =>
  ['42P01', '42703'].includes(databaseError(error)?.code ?? '')

/**
 * A statement is not one of the tables as they are: a table or column is missing, or of a type that has no such operator or function.
 */
export const isOfOtherTables = (error: unknown) =>
  isMissing(error) || ['42804', '42846', '42883'].includes(databaseError(error)?.code ?? '')

/** A prepared statement would now return other columns or types. */
export const isStalePlan = (error: unknown) => {
  const { code, message } = databaseError(error) ?? {}
  return code === '0A000' && message === 'cached plan must not change result type'
}

/** The refusal of a pool (busy, timed out, no response) within a thrown value, or null. */
export function refusalIn(error: unknown): AppError | null {
  const inner = unwrap(error)
  return inner instanceof AppError ? inner : null
}

/** The message of the database or the system, for the operator, without the failed statement. */
export const reasonOf = (error: unknown): string => messageOf(unwrap(error)) || codeOf(error)

/**
 * The server is away, refuses connections or credentials, accepts no changes at present, or has no
 * space: a later attempt may succeed.
 */
export function isUnavailable(error: unknown): boolean {
  if (refusalIn(error)?.code === 'unavailable' || isConnectionLost(error)) return true
  const code = databaseError(error)?.code ?? codeOf(error)
  return /^(08...|57P..|53...|25006|25P0[34]|28...|3D000|58...)$/.test(code)
}

/**
 * The server, the role, the database or a pooler gives no further connection: it is there, and has too few for what
 * connects.
 */
export const isExhausted = (error: unknown): boolean => {
  const { code, message } = databaseError(error) ?? {}
  return code === '53300' || (message !== undefined && NO_CONNECTION_FREE.test(message))
}

export const EXHAUSTED = 'The database has no connection free; try again in a moment'

/** Of PgBouncer, and of what a coordinator passes on of a node. */
const NO_CONNECTION_FREE =
  /no more connections allowed|query_wait_timeout|too many (clients|connections)|connection slots are reserved/

/** The database's disk is full. */
export const isDiskFull = (error: unknown): boolean => codeOf(error) === '53100'

/** The server is read-only: a standby, or by a setting. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006'

/** The connection broke or could not be established; another one may work. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  if (code === 'ENOENT') return isOfSocket(error)
  return NETWORK_CODES.has(code) || /^(08...|57P0[1-3])$/.test(code)
}

/** A server's socket is missing, and not a file. */
const isOfSocket = (error: unknown) =>
  (unwrap(error) as { syscall?: unknown }).syscall === 'connect'

/** Adds a code to a connection error without one. Returns other values unchanged. */
export function asLost(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error || !NO_CONNECTION.test(error.message))
    return error
  return Object.assign(new Error(error.message, { cause: error }), { code: 'CONNECTION_CLOSED' })
}

/** The messages of pg. */
const NO_CONNECTION =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout (expired|exceeded)|Query read timeout|The server does not support SSL)/

/** SQLSTATE or the system's code; empty when there is none. */
export function codeOf(error: unknown): string {
  const code = (unwrap(error) as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : ''
}

const NETWORK_CODES = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'CONNECTION_CLOSED',
])
