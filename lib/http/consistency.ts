import 'server-only'
import { readCookie } from '@/lib/auth/read-cookie'
import type { Actor } from '@/lib/auth/rights'
import { usesHttps } from '@/lib/auth/session-cookie'
import { withBudget } from '@/lib/db/budget'
import { type Lsn, lsnText, maxLsn, parseLsn } from '@/lib/db/log-position'
import type { Deps } from '@/lib/deps'
import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'

/** Of a change: its position in the log. Of a read: the change that it must show. */
const CONSISTENCY_HEADER = 'X-Engine-Consistency'

/** A replica that is read is at most `MAX_REPLICA_LAG_MS` behind; this is for the browser's way. */
const MORE_AGE_S = 10

const cookieName = (settings: Env) => `${usesHttps(settings) ? '__Secure-' : ''}engine.consistency`

/** Runs `work`, which sees the changes that the caller has made. Throws `invalid_input` for a bad header. */
export function seeingOwnChanges<T>(
  request: Request,
  { replicas, settings }: Pick<Deps, 'replicas' | 'settings'>,
  work: () => Promise<T>,
): Promise<T> {
  if (!replicas) return work()
  const sees = positionOf(request, settings)
  return sees === null ? work() : withBudget({ sees }, work)
}

function positionOf({ headers }: Request, settings: Env): Lsn | null {
  const given = headers.get(CONSISTENCY_HEADER)
  const ofHeader = given === null ? null : parseLsn(given)
  if (given !== null && ofHeader === null) throw new AppError('invalid_input', BAD_HEADER)
  const ofCookie = parseLsn(readCookie(headers, cookieName(settings)) ?? '')
  return ofHeader !== null && ofCookie !== null
    ? maxLsn(ofHeader, ofCookie)
    : (ofHeader ?? ofCookie)
}

const BAD_HEADER = `${CONSISTENCY_HEADER} must be the value of that header in the response to a change`

/**
 * The response to a change, with the position by which reads see it: as a header, and for a browser's session as a
 * cookie too, which pages send that were not loaded yet.
 */
export async function withPosition(
  response: Response,
  { replicas, settings }: Pick<Deps, 'replicas' | 'settings'>,
  caller: Actor | null,
): Promise<Response> {
  if (!replicas) return response
  const position = lsnText(await replicas.position())
  response.headers.set(CONSISTENCY_HEADER, position)
  if (caller?.type === 'user') response.headers.append('Set-Cookie', cookie(position, settings))
  return response
}

function cookie(position: string, settings: Env): string {
  const maxAgeS = Math.ceil(settings.MAX_REPLICA_LAG_MS / 1000) + MORE_AGE_S
  const secure = usesHttps(settings) ? '; Secure' : ''
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`
  return `${cookieName(settings)}=${position}; ${attributes}`
}
