/** What both drivers tell of a failed statement. */
export type DatabaseError = {
  /** SQLSTATE, five characters. */
  code: string
  message: string
  detail?: string
  constraint?: string
  column?: string
}

/**
 * What drizzle wrapped. Its error is known by its looks: the database is opened in one bundle and
 * used in others, each with a `DrizzleQueryError` of its own, so `instanceof` would say no.
 */
function unwrap(error: unknown): unknown {
  const isQueryError = error instanceof Error && 'query' in error && 'params' in error
  return isQueryError && !('code' in error) ? error.cause : error
}

/** The database's own error inside whatever was thrown, or null when it came from elsewhere. */
export function databaseError(error: unknown): DatabaseError | null {
  const inner = unwrap(error)
  if (!(inner instanceof Error) || !('code' in inner)) return null
  const { code } = inner
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return null
  const { detail, constraint, constraint_name, column, column_name } = inner as unknown as Partial<
    Record<string, string>
  >
  return {
    code,
    message: inner.message,
    detail,
    constraint: constraint ?? constraint_name,
    column: column ?? column_name,
  }
}

export const isUniqueViolation = (error: unknown) => databaseError(error)?.code === '23505'

/** Others had the rows or tables locked for too long, or in an order that could not end well. */
export const isContention = (error: unknown) =>
  ['40P01', '40001', '55P03'].includes(databaseError(error)?.code ?? '')

/** The server is away or refuses connections (or us): asking again later may help. */
export function isUnavailable(error: unknown): boolean {
  const code = (unwrap(error) as { code?: unknown } | null | undefined)?.code
  if (typeof code !== 'string') return false
  return NETWORK_CODES.has(code) || /^(08...|57P0[1-5]|53300|25P0[34]|28...|3D000)$/.test(code)
}

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
])
