import { methods, route } from '@/lib/http/route'
import { secondFactors } from '@/lib/second-factors/contract'
import { describeFactors } from '@/lib/second-factors/describe-factors'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readMySecondFactors',
      summary: 'Read your own second factors',
      responses: { 200: secondFactors },
    },
    access: 'own-session',
    handle: async ({ deps, actor }) => ({ data: [await describeFactors(deps.db, actor)] }),
  }),
})
