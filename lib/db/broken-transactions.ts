import type { Sql, TransactionSql } from 'postgres'
import { isUnavailable } from './errors'

/**
 * Ends transactions whose connection breaks. postgres.js 3.4 goes on to use that connection: the
 * write to the closed socket, be it its own ROLLBACK, ends the process, and once the connection is
 * open again, statements of the dead transaction run inside somebody else's. So here no statement
 * follows the break, and postgres.js is not told how the work ended.
 */
export function endBrokenTransactions(client: Sql): Sql {
  const begin = client.begin.bind(client) as Start
  const guarded = (work: Work) => {
    const fate: Fate = { isBroken: false }
    return run((inner) => begin(inner), work, fate)
  }
  return Object.assign(client, { begin: guarded })
}

type Work = (scope: TransactionSql) => unknown
type Start = (work: Work) => Promise<unknown>
/** Shared by a transaction and its savepoints. */
type Fate = { isBroken: boolean }

/** Runs `work` in a transaction or savepoint that `start` opens. */
function run(start: Start, work: Work, fate: Fate): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const inner = async (scope: TransactionSql) => {
      const outcome = await settled(work(guard(scope, fate)))
      if (!fate.isBroken) return outcome()
      reject(broken())
      return new Promise<never>(() => {})
    }
    start(inner).then(resolve, (error) => {
      if (isUnavailable(error)) fate.isBroken = true
      reject(error)
    })
  })
}

const settled = (work: unknown) =>
  Promise.resolve(work).then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )

/** A transaction's client that refuses statements once its connection broke. */
function guard(scope: TransactionSql, fate: Fate): TransactionSql {
  const unsafe = (...args: Parameters<TransactionSql['unsafe']>) => {
    if (fate.isBroken) return refusal()
    const query = scope.unsafe(...args)
    query.catch((error) => {
      if (isUnavailable(error)) fate.isBroken = true
    })
    return query
  }
  const start = (work: Work) => scope.savepoint(work)
  const savepoint = (work: Work) =>
    fate.isBroken ? Promise.reject(broken()) : run(start, work, fate)
  return new Proxy(scope, {
    get: (target, key) =>
      key === 'unsafe' ? unsafe : key === 'savepoint' ? savepoint : Reflect.get(target, key),
  })
}

const broken = () =>
  Object.assign(new Error('The connection broke during the transaction'), {
    code: 'CONNECTION_CLOSED',
  })

/** A failed query, in both forms in which drizzle asks for its answer. */
function refusal() {
  const refused = Promise.reject(broken())
  refused.catch(() => {})
  return Object.assign(refused, { values: () => refused })
}
