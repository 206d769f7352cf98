import { headers } from 'next/headers'
import { forbidden, redirect } from 'next/navigation'
import { connection } from 'next/server'
import { cache } from 'react'
import { currentActor } from '@/lib/auth/load-actor'
import { type AccountActor, can, hasAccount, type Right } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { PATH_HEADER } from '@/lib/http/security-headers'
import { getDeps } from '@/lib/runtime'

export type PageContext = { deps: Deps; actor: AccountActor }

/**
 * The context of a console page, after the check that every page makes itself, since the check of a
 * layout is not repeated on navigation. Redirects visitors without a session to the sign-in page
 * and those who must change their password to that page; shows the 403 page without the right.
 */
export async function pageContext(access: 'signed-in' | Right): Promise<PageContext> {
  const { deps, actor, path } = await visit()
  if (!actor) redirect(`/login?next=${encodeURIComponent(path)}`)
  if (actor.mustChangePassword) redirect('/change-password')
  if (actor.mustSetUpSecondFactor) redirect('/second-factor')
  if (access !== 'signed-in' && !can(actor, access)) forbidden()
  return { deps, actor }
}

/** The signed-in visitor, or null; for public pages. */
export const publicPageContext = async (): Promise<{
  deps: Deps
  actor: AccountActor | null
}> => visit()

// Once per request, however many layouts and pages call it.
const visit = cache(async () => {
  await connection()
  const deps = await getDeps()
  const all = await headers()
  const actor = await currentActor({ headers: withoutKeys(all) }, deps)
  return {
    deps,
    actor: actor && hasAccount(actor) ? actor : null,
    path: all.get(PATH_HEADER) ?? '/',
  }
})

/** Pages are for people: an API key opens none. */
function withoutKeys(all: Headers): Headers {
  const copy = new Headers(all)
  copy.delete('authorization')
  copy.delete('x-engine-apikey')
  return copy
}
