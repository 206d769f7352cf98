import { deviceCookie, readDevice, withAccount } from '@/lib/auth/known-device'
import { callerAddress, networkOf } from '@/lib/auth/request-origin'
import { sessionCookie } from '@/lib/auth/session-cookie'
import { encodeSession, newSession } from '@/lib/auth/session-token'
import type { Deps } from '@/lib/deps'
import type { OidcProvider } from '@/lib/env'
import { beginSignIn, findProvider } from '@/lib/oidc/begin-sign-in'
import { finishSignInAtProvider } from '@/lib/oidc/finish-sign-in'
import { dropCookie, openCookie, type Pending, sealCookie } from '@/lib/oidc/sealed-cookie'
import { ProviderRefusal } from '@/lib/users/provider-refusal'
import type { SignedIn } from '@/lib/users/record-sign-in'

type Call = { request: Request; requestId: string }

/** Sends the browser to the provider, or to the sign-in page with the reason why not. */
export async function redirectToProvider(
  deps: Deps,
  { request, requestId }: Call,
  { provider: name, returnTo }: { provider: string; returnTo: string | undefined },
): Promise<Response> {
  const provider = findProvider(deps, name)
  const network = networkOf(callerAddress(request.headers, deps.settings.TRUST_PROXY))
  try {
    const { location, cookie } = await beginSignIn(deps, provider, { returnTo, network })
    return redirect(location, [cookie])
  } catch (error) {
    return refuse(deps, provider, error, requestId)
  }
}

/** `GET /api/auth/callback/oidc-<name>`: the answer of a provider, which the browser brings. */
export async function respondToProvider(
  deps: Deps,
  { request, requestId }: Call,
  name: string,
): Promise<Response> {
  const provider = findProvider(deps, name)
  const dropped = dropCookie(deps, 'pending')
  try {
    const pending = await openCookie(deps, 'pending', request.headers)
    const { settings, secret } = deps
    const device = await readDevice(request.headers, settings, secret)
    const address = callerAddress(request.headers, settings.TRUST_PROXY)
    const userAgent = request.headers.get('user-agent')
    const visitor = { address, userAgent, device, requestId }
    const answer = { search: new URL(request.url).search, pending }
    const outcome = await finishSignInAtProvider(deps, provider, answer, visitor)
    if ('signedIn' in outcome) {
      const known = withAccount(device, outcome.signedIn.email)
      const cookies = [dropped, await deviceCookie(known, settings, secret)]
      return enter(deps, outcome.signedIn, pending?.returnTo ?? '/', cookies)
    }
    return askForStep(deps, { ...outcome, label: provider.label }, pending, dropped)
  } catch (error) {
    return refuse(deps, provider, error, requestId, [dropped])
  }
}

async function enter(
  { settings, secret }: Deps,
  { session }: SignedIn,
  returnTo: string,
  cookies: string[],
): Promise<Response> {
  const token = await encodeSession(newSession(session), secret)
  return redirect(returnTo, [...cookies, sessionCookie(token, settings)])
}

async function askForStep(
  deps: Deps,
  step: Parameters<typeof sealCookie<'step'>>[2],
  pending: Pending | null,
  dropped: string,
): Promise<Response> {
  const { ticket, methods, email, label } = step
  const cookie = await sealCookie(deps, 'step', { ticket, methods, email, label })
  const query = new URLSearchParams({ step: 'provider', next: pending?.returnTo ?? '/' })
  return redirect(`/login?${query}`, [dropped, cookie])
}

/** The address names the reason by its code alone, and the log has the rest. */
function refuse(
  { log }: Deps,
  { name: provider }: OidcProvider,
  error: unknown,
  requestId: string,
  cookies: string[] = [],
): Response {
  if (!(error instanceof ProviderRefusal)) throw error
  const { code, detail } = error
  log.warn({ ...detail, provider, refusal: code, requestId }, 'A sign-in by a provider was refused')
  return redirect(`/login?error=${code}`, cookies)
}

function redirect(location: string, cookies: string[]): Response {
  const headers = new Headers({ Location: location, 'Cache-Control': 'no-store' })
  // The address of the answer has a code, which no other page may see.
  headers.set('Referrer-Policy', 'no-referrer')
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return new Response(null, { status: 302, headers })
}
