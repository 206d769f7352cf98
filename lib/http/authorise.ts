import { guestOf } from '@/lib/auth/guest'
import { currentActor } from '@/lib/auth/load-actor'
import { isForeign, isFromOtherPage, isSafeMethod, isSameOrigin } from '@/lib/auth/request-origin'
import {
  type Actor,
  can,
  type Permission,
  requireAccount,
  requireReady,
  requireRight,
  requireSession,
} from '@/lib/auth/rights'
import { scimCaller } from '@/lib/auth/scim-token'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { isListedOrigin } from './cors'
import type { Access, RouteSpec } from './route-spec'
import { readViewAs, viewedActor } from './view-as'

/**
 * The caller of the request, or as whom it is to be answered, who has the right to make it; null where everyone has. Reads
 * nothing of the body. Calls `params`, which throws its own errors, only where the right depends on them.
 * Throws `unauthenticated`, `forbidden`, and as `readViewAs` and `viewedActor` do.
 */
export async function authorise<P>(
  spec: Omit<RouteSpec, 'access'> & { access: Access<P> },
  params: () => P,
  request: Request,
  deps: Deps,
): Promise<Actor | null> {
  const { access } = spec
  const changes = !isSafeMethod(request.method)
  const isOpen = access === 'public' || access === 'optional'
  // Pages of other sites must not sign visitors in, set up a new server or request mails.
  if (isOpen && changes && isForeign(request, deps.settings)) throw notFromHere()
  if (access === 'public') return null
  if (access === 'scim') return scimCaller(request, deps)
  const named = readViewAs(spec as RouteSpec, request)
  const actor = await (access === 'optional'
    ? currentActor(request, deps).catch(refusedAsNone)
    : currentActor(request, deps))
  const forged = changes && actor?.type === 'user' && !isSameOrigin(request, deps.settings)
  const isForeignPage = actor?.type === 'user' && isFromOtherPage(request, deps.settings)
  if (access === 'optional') return forged || isForeignPage ? null : actor
  if (forged) throw notFromHere()
  if (isForeignPage) throw new AppError('unauthenticated', NO_SESSION)
  const caller = actor ?? (spec.guests ? await guestOf(request, deps) : null)
  if (!caller)
    throw new AppError(
      'unauthenticated',
      'Sign in, or send an API key as "Authorization: Bearer <key>"',
    )
  if (access === 'own-session') requireSession(caller)
  else if (access === 'own-account') requireAccount(caller)
  else {
    const asked = named ? await viewedActor(deps, caller, named, entityOf(params())) : caller
    requireAccess(asked, access, params, request)
    const isGuest = asked.type === 'anonymous'
    if (
      isGuest &&
      changes &&
      isForeign(request, deps.settings) &&
      !isListedOrigin(request, deps.settings)
    )
      throw notFromHere()
    return asked
  }
  return caller
}

function refusedAsNone(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}

const entityOf = (params: unknown): string => (params as { entityName?: string }).entityName ?? ''

const NO_SESSION =
  'A session counts on the pages of this server only; send an API key as "Authorization: Bearer <key>"'

const notFromHere = () =>
  new AppError('forbidden', 'A browser may send this from the pages of this server only')

function requireAccess<P>(
  actor: Actor,
  access: Exclude<Access<P>, 'public' | 'optional' | 'own-session' | 'own-account' | 'scim'>,
  params: () => P,
  { url }: Request,
): void {
  requireReady(actor)
  if (access === 'signed-in') return
  const rights =
    typeof access === 'function'
      ? ([access(params(), () => new URL(url).searchParams)] as const)
      : listOf(access)
  requireRight(actor, rights.find((right) => can(actor, right)) ?? rights[0])
}

const listOf = (access: Permission | readonly [Permission, ...Permission[]]) =>
  typeof access === 'string' ? ([access] as const) : access
