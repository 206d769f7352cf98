import type { Deps } from '@/lib/deps'
import 'server-only'
import { headers } from 'next/headers'
import { forbidden, redirect } from 'next/navigation'
import { connection } from 'next/server'
import { cache } from 'react'
import { currentActor } from '@/lib/auth/actor'
import { type Actor, can, type Right } from '@/lib/auth/rights'
import { PATH_HEADER } from '@/lib/http/security-headers'
import { getDeps } from '@/lib/runtime'

export type PageContext = { deps: Deps; actor: Actor }

/**
 * What a page of the console may use, after the check that every page makes for itself: a layout's
 * is not repeated on navigation. Sends visitors without a session to the sign-in page, those whose
 * password was made for them to the page that changes it, and shows the 403 page without the right.
 */
export async function pageContext(access: 'signed-in' | Right): Promise<PageContext> {
  const { deps, actor, path } = await visit()
  if (!actor) redirect(`/login?next=${encodeURIComponent(path)}`)
  if (actor.mustChangePassword) redirect('/change-password')
  if (access !== 'signed-in' && !can(actor, access)) forbidden()
  return { deps, actor }
}

/** Who visits, if anybody; for pages that are open to all. */
export const publicPageContext = async (): Promise<{ deps: Deps; actor: Actor | null }> => visit()

// Once a request, however many layouts and pages ask.
const visit = cache(async () => {
  await connection()
  const deps = await getDeps()
  const all = await headers()
  const actor = await currentActor({ headers: withoutKeys(all) }, deps)
  return { deps, actor, path: all.get(PATH_HEADER) ?? '/' }
})

/** Pages are for people: an API key opens none. */
function withoutKeys(all: Headers): Headers {
  const copy = new Headers(all)
  copy.delete('authorization')
  copy.delete('x-engine-apikey')
  return copy
}
