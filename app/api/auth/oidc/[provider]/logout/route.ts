import { z } from 'zod'
import { callerAddress } from '@/lib/auth/request-origin'
import { bodyLimits, readBytes } from '@/lib/http/body'
import { methods, route } from '@/lib/http/route'
import { findProvider } from '@/lib/oidc/begin-sign-in'
import { providerParams } from '@/lib/oidc/contract'
import { listOf } from '@/lib/openapi/responses'

/** GET leads a browser that has signed out here on to the provider; POST is what providers send when somebody signs out there. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: { undocumented: 'Browsers follow it after signing out' },
    access: 'public',
    params: providerParams,
    handle: async ({ deps, params: { provider } }) => {
      const { signOutAddress } = await import('@/lib/oidc/sign-out-address')
      const Location = await signOutAddress(deps, findProvider(deps, provider))
      return new Response(null, { status: 302, headers: { Location, 'Cache-Control': 'no-store' } })
    },
  }),
  POST: route({
    doc: {
      id: 'takeProviderLogout',
      summary: 'End the sessions that a provider says are over',
      description:
        'OpenID Connect Back-Channel Logout 1.0. The signature of the token is the credential.',
      responses: { 200: listOf(z.never()) },
      body: { 'application/x-www-form-urlencoded': z.object({ logout_token: z.string() }) },
    },
    access: 'public',
    params: providerParams,
    handle: async ({ deps, request, requestId, params: { provider: name } }) => {
      const provider = findProvider(deps, name)
      const bytes = await readBytes(request, bodyLimits(deps.settings, { access: 'public' }))
      const token = new URLSearchParams(new TextDecoder().decode(bytes)).get('logout_token') ?? ''
      const address = callerAddress(request.headers, deps.settings.TRUST_PROXY)
      const { endProviderSessions } = await import('@/lib/oidc/end-provider-sessions')
      await endProviderSessions(deps, provider, token, { address, requestId })
      return { data: [] }
    },
  }),
})
