import { sql } from 'drizzle-orm'
import { auditJson, insertAudit } from '@/lib/audit/record-audit'
import { type Actor, requireReady, requireRight } from '@/lib/auth/rights'
import { auditLog } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { actorNamed, type Named, parseNamed } from '@/lib/policies/actor-named'
import type { RouteSpec } from './route-spec'
import { isReading } from './time-limits'

const VIEW_AS = 'X-Engine-View-As'

/**
 * Whom a request asks to be answered as; null: the caller. Throws `forbidden` for a request that changes something, and
 * `invalid_input` where the header means nothing: it is for routes that document it.
 */
export function readViewAs(spec: RouteSpec, request: Request): Named | null {
  const text = request.headers.get(VIEW_AS)
  if (text === null) return null
  if (!isReading(spec, request))
    throw new AppError('forbidden', `Nothing can be changed as somebody else; leave ${VIEW_AS} out`)
  if (!('headers' in spec.doc && spec.doc.headers?.includes(VIEW_AS)))
    throw new AppError('invalid_input', `${VIEW_AS} is for reading records; leave it out here`)
  const named = parseNamed(text)
  if (named) return named
  throw new AppError('invalid_input', `${VIEW_AS} is "role:<name>", "user:<id>" or "key:<id>"`)
}

/**
 * The actor as whom `caller` reads records of an entity; the audit log says so. Throws `forbidden` for callers who may not
 * manage security with all their rights: through a key of few scopes nobody reads more than those; and `not_found`.
 */
export async function viewedActor(
  deps: Deps,
  caller: Actor,
  named: Named,
  entityName: string,
): Promise<Actor> {
  requireReady(caller)
  requireRight(caller, 'security:manage')
  if (caller.scopes !== null)
    throw new AppError('forbidden', 'A key that is limited to its scopes reads as nobody else')
  const viewed = await actorNamed(deps.db, named)
  const as = `${named.kind}:${named.kind === 'role' ? viewed.name : viewed.id}`
  await recordView(deps, caller, { entityName, as, name: viewed.name })
  // Who views as a guest is signed in: what is not allowed is 403, not 401.
  const type = viewed.type === 'anonymous' ? 'user' : viewed.type
  return { ...viewed, type, address: caller.address }
}

type View = { entityName: string; as: string; name: string }

/** Once in ten minutes: the pages of a list are one view. */
async function recordView({ db }: Deps, caller: Actor, { entityName, as, name }: View) {
  const entry = { action: 'records.view-as', objectType: entityName, details: { as, name } }
  const known = sql`select from ${auditLog} where ${auditLog.objectType} = ${entityName}
    and ${auditLog.action} = ${entry.action} and ${auditLog.actorId} = ${caller.id}::uuid
    and ${auditLog.details} ->> 'as' = ${as}::text and ${auditLog.at} > now() - interval '10 minutes'`
  const isNew = sql`(select where not exists (${known})) as is_new`
  await db.execute(insertAudit(sql`${auditJson(caller, entry)}`, isNew))
}
