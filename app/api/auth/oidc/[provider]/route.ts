import { z } from 'zod'
import { methods, route } from '@/lib/http/route'

const params = z.strictObject({ provider: z.string() })
/** `returnTo`: the path of a page of the console to go to afterwards. */
const query = z.strictObject({ returnTo: z.string().max(2_000).optional() })

/** Leads to the provider; a refusal leads to the sign-in page, which says why. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: { undocumented: 'Browsers follow it from the sign-in page' },
    access: 'public',
    load: 'vital',
    params,
    query,
    handle: async ({ deps, request, requestId, params: { provider }, query: { returnTo } }) => {
      const { redirectToProvider } = await import('@/lib/http/oidc') // loaded by the first of them
      return redirectToProvider(deps, { request, requestId }, { provider, returnTo })
    },
  }),
})
