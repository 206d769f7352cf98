import { isDeepStrictEqual } from 'node:util'
import type { Case, Sides } from './cases'
import { request } from './load'
import type { Server } from './servers'

type Row = Record<string, unknown>
/** Another product may give a single record by itself. */
type Body = { data?: Row | Row[]; pagination?: { total: number | null } }

/** Throws unless both servers respond alike to the first requests of a case. */
export async function verify(servers: Sides<Server>, one: Case): Promise<void> {
  await one.prepare?.()
  for (const n of one.isSingle ? [0] : [0, 1, 2]) {
    const calls = one.call(n)
    const engine = await request(servers.engine.url, calls.engine)
    const bare = await request(servers.bare.url, calls.bare)
    const texts = { engine: await engine.text(), bare: await bare.text() }
    if (engine.ok && bare.ok && isEqual(one, texts)) continue
    const show = (text: string) => text.slice(0, 2000)
    throw new Error(
      `${one.name}: the servers respond differently\nours ${engine.status} ${show(texts.engine)}\nbare ${bare.status} ${show(texts.bare)}`,
    )
  }
}

function isEqual({ equal }: Case, texts: Sides<string>): boolean {
  if (equal === 'status') return true
  if (equal === 'text') return lines(texts.engine) === lines(texts.bare)
  const engine: Body = JSON.parse(texts.engine)
  const bare: Body = JSON.parse(texts.bare)
  if (equal === 'page' && engine.pagination?.total !== bare.pagination?.total) return false
  const keep = (record: Row) =>
    inMoments(
      equal === 'created' ? withoutKeys(record) : equal === 'peer' ? common(record) : record,
    )
  const kept = ({ data }: Body) => [data ?? []].flat().map(keep)
  return isDeepStrictEqual(kept(engine), kept(bare))
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/

/** The database writes the same moment in another form than we do. */
const inMoments = (record: Row) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'string' && TIME.test(value) ? Date.parse(value) : value,
    ]),
  )

// CSV of RFC 4180 ends lines with CRLF, COPY with LF.
const lines = (text: string) => text.replaceAll('\r\n', '\n')

const common = ({ persistenceId: _, ...rest }: Row) => rest

function withoutKeys({ id: _, persistenceId: __, ...rest }: Row) {
  return rest
}
