import { methods, route } from '@/lib/http/route'
import { providerParams, testedProvider } from '@/lib/oidc/contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'testProvider',
      summary: 'Test a provider of sign-ins',
      description:
        'Whether it is reached, says what it must about itself, and has keys. Takes up to 20 seconds.',
      responses: { 200: testedProvider },
      fails: ['rate_limited'],
    },
    access: 'security:manage',
    params: providerParams,
    handle: async ({ deps, params: { provider } }) => {
      const { testProvider } = await import('@/lib/oidc/test-provider')
      return { data: [await testProvider(deps, provider)] }
    },
  }),
})
