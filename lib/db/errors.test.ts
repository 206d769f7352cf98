import { createRequire } from 'node:module'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { expect, test } from 'vitest'
import {
  databaseError,
  isContention,
  isExhausted,
  isUnavailable,
  isUniqueViolation,
} from './errors'

/** Route handlers meet errors of the bundle that opened the database: same code, other classes. */
function fromAnotherBundle(cause: Error): Error {
  const other = createRequire(import.meta.url)('drizzle-orm/errors') as {
    DrizzleQueryError: typeof DrizzleQueryError
  }
  expect(other.DrizzleQueryError).not.toBe(DrizzleQueryError)
  return new other.DrizzleQueryError('insert …', [], cause)
}

const cause = (code: string) =>
  Object.assign(new Error('duplicate key'), { code, constraint_name: 'ux', detail: 'Key (x)' })

test.each([
  ['this bundle', (inner: Error) => new DrizzleQueryError('insert …', [], inner)],
  ['another bundle', fromAnotherBundle],
  ['the driver', (inner: Error) => inner],
])('an error of %s is known by what the database said', (_, wrap) => {
  expect(databaseError(wrap(cause('23505')))).toMatchObject({
    code: '23505',
    message: 'duplicate key',
    constraint: 'ux',
    detail: 'Key (x)',
  })
  expect(isUniqueViolation(wrap(cause('23505')))).toBe(true)
  expect(isContention(wrap(cause('55P03')))).toBe(true)
  expect(isUnavailable(wrap(cause('CONNECTION_CLOSED')))).toBe(true)
})

test.each(['08006', '57P03', '53300', '53100', '28P01', '3D000', '25006'])(
  '%s means the database is away',
  (code) => {
    expect(isUnavailable(cause(code))).toBe(true)
  },
)

test.each([
  'failure on connection marked as essential: worker-1:5432',
  'terminating connection due to unexpected postmaster exit',
  'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally\n\tbefore or while processing the request.',
  'SSL connection has been closed unexpectedly',
  'connection not open',
  'no connection to the server',
  'lost synchronization with server: got message type "S", length 1',
  'could not receive data from server: Connection reset by peer',
  'could not send data to server: Broken pipe',
  'could not establish any connections to the node worker-1:5432 after 30000 ms',
  'connection to the remote node postgres@worker-1:5432 failed with the following error: Connection refused',
  'the database system is in recovery mode',
])('a node of a cluster is away: %s', (message) => {
  expect(isUnavailable(Object.assign(new Error(message), { code: 'XX000' }))).toBe(true)
})

test.each([
  ['53300', 'too many connections for role "engine"'],
  ['53300', 'remaining connection slots are reserved for roles with the SUPERUSER attribute'],
  ['08P01', 'no more connections allowed (max_client_conn)'],
  ['08P01', 'query_wait_timeout'],
  [
    'XX000',
    'connection to the remote node worker-1 failed: FATAL:  sorry, too many clients already',
  ],
])('%s means that no connection is free: %s', (code, message) => {
  const error = Object.assign(new Error(message), { code })
  expect([isExhausted(error), isUnavailable(error)]).toEqual([true, true])
})

test.each(['08006', '57P03', 'ECONNREFUSED'])(
  '%s means away, not that no connection is free',
  (code) => {
    expect(isExhausted(cause(code))).toBe(false)
  },
)

test.each(['08P01', '58000', 'XX000'])('a pooler without a server is away: %s', (code) => {
  for (const message of ['server conn crashed?', 'query_wait_timeout', 'server_login_retry'])
    expect(isUnavailable(Object.assign(new Error(message), { code }))).toBe(true)
})

test('an internal error of the database is none of its absence', () => {
  const error = Object.assign(new Error('cache lookup failed for type 1'), { code: 'XX000' })
  expect(isUnavailable(error)).toBe(false)
})

test('an error of elsewhere is none of the database', () => {
  expect(databaseError(new Error('other', { cause: cause('23505') }))).toBeNull()
  expect(databaseError(null)).toBeNull()
  expect(isUnavailable(undefined)).toBe(false)
})

test('the constraint that a node of a cluster names is that of the whole table', () => {
  const refused = (constraint: string) =>
    Object.assign(new Error(`duplicate key value violates unique constraint "${constraint}"`), {
      code: '23505',
    })
  expect(databaseError(refused('ux_a_1_102013'))?.constraint).toBe('ux_a_1')
  expect(databaseError(refused('ux_a'))?.constraint).toBeUndefined()
})
